import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, expect, test, vi } from "vitest";
import { PRICE_LIST_FIELDS } from "./price-list.js";
import { readCatalog } from "./open-catalog.js";
import { data, present, skipped } from "./skypilot/catalogs.fixture.js";

// The README and docs/own-prices.md: their programs, and their tables of exports and facts.

const folder = mkdtempSync(join(tmpdir(), "gpu-offers-sources-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MODULES = {
  "@gpu-offers/sources": fileURLToPath(new URL("index.ts", import.meta.url)),
  "@gpu-offers/domain": fileURLToPath(new URL("../../domain/src/index.ts", import.meta.url)),
};

/**
 * Runs a program of our documentation with the sources of this repository.
 * @param files the paths that the program names, and where they are.
 * @returns what it prints: the lines of console.log, then those of console.warn.
 */
async function runProgram(program: string, files: Readonly<Record<string, string>>): Promise<string> {
  const code = Object.entries({ ...MODULES, ...files }).reduce(
    (text, [name, path]) => text.replaceAll(JSON.stringify(name), JSON.stringify(path)),
    program,
  );
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    const file = join(mkdtempSync(join(folder, "program-")), "program.ts");
    writeFileSync(file, code);
    await import(pathToFileURL(file).href);
    return [...log.mock.calls, ...warn.mock.calls].map(([line]) => `${String(line)}\n`).join("");
  } finally {
    log.mockRestore();
    warn.mockRestore();
  }
}

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [, program = "", printed = ""] = /```ts\n\/\/ cheapest\.ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(README) ?? [];

const run = (catalog: string): Promise<string> => runProgram(program, { "hyperstack/vms.csv": catalog });

test("the README's program prints the cheapest offers of a catalog, and rejected rows", async () => {
  const catalog = join(folder, "hyperstack", "vms.csv");
  mkdirSync(join(folder, "hyperstack"));
  const rows = [
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice",
    "n3-H100x2,H100-80G-PCIe,2,60,360,,3.8,NORWAY-1,",
    "n3-H100x1,H100-80G-PCIe,1,28,180,,1.95,CANADA-1,",
    "n3-L40x1,L40,1,28,58,,1,CANADA-1,",
    "n3-H1000x1,H1000-Turbo,1,28,58,,1,CANADA-1,",
  ];
  writeFileSync(catalog, `${rows.join("\n")}\n`);
  const output = await run(catalog);
  expect(output.split("\n").slice(0, 2)).toEqual([
    "2x H100 PCIe in Norway: $1.9 per GPU-hour",
    "1x H100 PCIe in Canada: $1.95 per GPU-hour",
  ]);
  expect(output).toMatch(/^line 5: .*H1000-Turbo/m);
});

test.skipIf(!present)(`the README's program prints the documented output for the real file${skipped}`, async () => {
  expect(printed).not.toBe("");
  expect(await run(fileURLToPath(new URL("v8/hyperstack/vms.csv", data)))).toBe(printed);
});

test("the README's tables list exactly the exports", () => {
  const index = readFileSync(new URL("index.ts", import.meta.url), "utf8");
  const exported = [...index.matchAll(/^export (?:type )?\{([^}]*)\}/gms)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim().replace(/^type /, "")),
  );
  const [, tables = ""] = /\n## Exports\n(.*)/s.exec(README) ?? [];
  const listed = [...tables.matchAll(/^\| (`[^|]*`) +\|/gm)].flatMap(([, cell = ""]) =>
    cell.split(", ").map((name) => name.replaceAll("`", "")),
  );
  expect(listed.toSorted()).toEqual(exported.filter((name) => name !== "").toSorted());
});

/** The page about one's own price list. */
const page = readFileSync(new URL("../../../docs/own-prices.md", import.meta.url), "utf8");
const block = (language: string): string => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";

test("the program of docs/own-prices.md prints what the page says", async () => {
  const prices = join(folder, "prices.csv");
  writeFileSync(prices, block("csv"));
  expect(block("text")).not.toBe("");
  expect(await runProgram(block("ts"), { "prices.csv": prices })).toBe(block("text"));
});

test("the mapping of docs/own-prices.md reads every row of the CSV", async () => {
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

test("the table of docs/own-prices.md names every fact", () => {
  const [, table = ""] = /^\| fact .*?\n(.*?)\n\n/ms.exec(page) ?? [];
  const named = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, name]) => name);
  expect(new Set(named)).toEqual(new Set(PRICE_LIST_FIELDS));
  expect(named).toHaveLength(PRICE_LIST_FIELDS.length);
});
