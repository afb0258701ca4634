import { readFileSync } from "node:fs";
import { ERRORS } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import { listSettings } from "../src/config.js";

/** Cells of the rows of a document's tables whose first cell is a name in backticks. */
function rowsOf(document: string): string[][] {
  const text = readFileSync(new URL(`../../../docs/${document}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => /^\| *`\w+` *\|/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const withoutTicks = (text = ""): string => text.replaceAll(/^`|`$/g, "");

test("docs/configuration.md has each setting with its default and its description, and no other", () => {
  expect(
    rowsOf("configuration.md").map(([name, value, description]) => [
      withoutTicks(name),
      withoutTicks(value),
      description,
    ]),
  ).toEqual(listSettings().map((setting) => [setting.name, setting.default, setting.description]));
});

test("docs/errors.md has each code with its status, and no other", () => {
  const documented = rowsOf("errors.md").filter(([, status]) => /^\d{3}$/.test(status ?? ""));
  expect(documented.map(([code, status]) => [withoutTicks(code), Number(status)])).toEqual(
    Object.entries(ERRORS).map(([code, { status }]) => [code, status]),
  );
});
