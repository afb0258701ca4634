import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NO_CATALOG, readSearch } from "../index.js";

const source = ["./search-limits.ts", "./search-phrases.ts"]
  .map((file) => readFileSync(new URL(file, import.meta.url), "utf8"))
  .join("\n");
const rows = [...source.matchAll(/^ +\/\/ (`.*`)/gm)].map(([, examples = ""]) => examples);
const examples = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, example = ""]) => example));

test("rows of the table have examples", () => {
  expect(rows.length).toBeGreaterThan(20);
});

test.each(examples)("%j is read by the table, and leaves no word as text", (example) => {
  // A disk for weights is one for those of a model.
  const { terms, wishes } = readSearch(example.replace(/.*weights.*/, "llama 70b $&"), NO_CATALOG);
  const texts = terms.flatMap((term) => (term.kind === "word" && term.text !== "infiniband" ? [term.text] : []));
  expect(texts).toEqual([]);
  const isImage = /^(?:ubuntu|cuda|docker)/.test(example);
  expect(terms.length + Object.keys(wishes).length > 0 || isImage || /node|^how |^top /.test(example)).toBe(true);
});
