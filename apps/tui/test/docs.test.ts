import { readFileSync } from "node:fs";
import { findGpuModel } from "@gpu-offers/domain";
import { expect, it } from "vitest";
import { exitTable, keyTable } from "../docs/tables.ts";
import { run } from "./program.ts";

const page = readFileSync(new URL("../../../docs/picker.md", import.meta.url), "utf8");

it("docs/picker.md has the keys that the picker has", () => {
  expect(page).toContain(keyTable());
});

it("docs/picker.md has the exit codes that the program has", () => {
  expect(page).toContain(exitTable());
});

it("help and pages give examples of GPUs that there are", async () => {
  const help = (await run(["--help"])).stdout;
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const examples = [...`${help}${page}${readme}`.matchAll(/(?:--gpu |[?&]gpu=)([a-z\d,-]+)/g)];
  const slugs = new Set(examples.flatMap(([, list = ""]) => list.split(",")));
  expect(slugs.size).toBeGreaterThan(3);
  expect([...slugs].filter((slug) => findGpuModel(slug) === undefined)).toEqual([]);
});
