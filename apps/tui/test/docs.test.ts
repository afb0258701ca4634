import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { exitTable, keyTable } from "../docs/tables.ts";

const page = readFileSync(new URL("../../../docs/picker.md", import.meta.url), "utf8");

it("docs/picker.md has the keys that the picker has", () => {
  expect(page).toContain(keyTable());
});

it("docs/picker.md has the exit codes that the program has", () => {
  expect(page).toContain(exitTable());
});
