import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runProgram } from "./documented-program.fixture.js";
import { PRICE_LIST_FIELDS } from "./price-list.js";
import { readCatalog } from "./read-catalog.js";

// The page about one's own price list: its CSV, its mapping, its table of facts and its program.

const page = readFileSync(new URL("../../../docs/own-prices.md", import.meta.url), "utf8");
const block = (language: string): string => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";

const folder = mkdtempSync(join(tmpdir(), "gpu-offers-own-prices-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the program prints what the page says", async () => {
  const prices = join(folder, "prices.csv");
  writeFileSync(prices, block("csv"));
  expect(block("text")).not.toBe("");
  expect(await runProgram(block("ts"), { "prices.csv": prices })).toBe(block("text"));
});

test("the mapping reads every row of the CSV", async () => {
  const columns = Object.fromEntries(
    block("yaml")
      .trim()
      .split("\n")
      .map((line) => line.split(": ")),
  );
  const { offers, rejections } = await readCatalog(block("csv"), { columns });
  expect(rejections).toEqual([]);
  const facts = offers.map((offer) => [offer.provider.name, offer.gpu.slug, offer.priceHourly, offer.storageMaxGB]);
  expect(facts).toEqual([
    ["acme-cloud", "h100-sxm", 15.2, 2000],
    ["acme-cloud", "rtx-4090", 0.35, 500],
    ["beta", "l40s", 1.8, 100],
  ]);
});

test("the table names every fact", () => {
  const [, table = ""] = /^\| fact .*?\n(.*?)\n\n/ms.exec(page) ?? [];
  const named = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name]) => name);
  expect(new Set(named)).toEqual(new Set(PRICE_LIST_FIELDS));
  expect(named).toHaveLength(PRICE_LIST_FIELDS.length);
});
