import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REFUSALS } from "./refusal.js";

test("the README lists every code of a refusal, its meaning and nothing else", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const listed = [...readme.matchAll(/^\| `(\w+)` +\| (.+?) +\| (yes|no) +\|$/gm)].map(([, code, meaning, counts]) => [
    code,
    meaning,
    counts === "yes",
  ]);
  expect(listed).toEqual(Object.entries(REFUSALS).map(([code, { meaning, isGpuRow }]) => [code, meaning, isGpuRow]));
});

test("what is known to be no GPU offer does not count as a GPU row", () => {
  const others = Object.entries(REFUSALS).filter(([, { isGpuRow }]) => !isGpuRow);
  expect(others.map(([code]) => code)).toEqual([
    "not_a_gpu",
    "sold_apart",
    "half_machine",
    "not_rentable",
    "other_terms",
  ]);
});
