import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { contents, overview, terms, type Table } from "./source-tables.fixture.js";

/** The tables of a page, cell by cell. */
function tablesIn(page: string): Table[] {
  const blocks = page.split("\n\n").filter((block) => block.trim().startsWith("| "));
  return blocks.map((block) =>
    block
      .trim()
      .split("\n")
      .filter((line) => !/^\|[ |:-]+\|$/.test(line))
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim()),
      ),
  );
}

test.each([
  ["overview", overview()],
  ["contents", contents()],
  ["terms", terms()],
])("docs/sources.md matches the registry: %s", (_name, table) => {
  const page = readFileSync(new URL("../../../../docs/sources.md", import.meta.url), "utf8");
  expect(tablesIn(page)).toContainEqual(table);
});
