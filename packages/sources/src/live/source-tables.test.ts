import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { expectPage, withTable, type Table } from "../markdown-table.fixture.js";
import { contents, countProviders, origins, overview, terms } from "./source-tables.fixture.js";

// Run with -u to generate the tables.

const pages: readonly (readonly [string, Readonly<Record<string, Table>>])[] = [
  ["README.md", { origins: origins() }],
  ["docs/sources.md", { sources: overview(), contents: contents(), terms: terms() }],
];

test.each(pages)("the tables of %s match the registry of live sources", async (path, tables) => {
  const file = fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
  let page = readFileSync(file, "utf8");
  for (const [name, table] of Object.entries(tables)) {
    page = withTable(page, name, table);
  }
  page = page.replace(/(?<=from )\d+(?= providers)/, String(countProviders()));
  await expectPage(page, file, "vitest run --project sources source-tables -u");
});
