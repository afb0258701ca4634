import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REJECTIONS } from "./rejection.js";

test("the README lists exactly the rejection codes and their meanings", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const listed = [...readme.matchAll(/^\| `(\w+)` +\| (.+?) +\| (yes|no) +\|$/gm)].map(([, code, meaning, counts]) => [
    code,
    meaning,
    counts === "yes",
  ]);
  expect(listed).toEqual(Object.entries(REJECTIONS).map(([code, { meaning, isGpuRow }]) => [code, meaning, isGpuRow]));
});

test("only rows with a problem in the source or our tables count against a limit", () => {
  const others = Object.entries(REJECTIONS).filter(([, { isGpuRow }]) => !isGpuRow);
  expect(others.map(([code]) => code)).toEqual([
    "spot_only",
    "not_a_gpu",
    "sold_apart",
    "half_machine",
    "fractional_gpu",
    "not_rentable",
    "other_terms",
    "duplicate",
    "contradiction",
  ]);
});
