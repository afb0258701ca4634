import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { makeCatalog } from "./catalogs.ts";
import { benchDomainQuery } from "./domain-query.ts";
import { benchHttp, benchNginx, benchSize } from "./http.ts";
import { benchImport } from "./import.ts";
import { benchListings } from "./listings.ts";
import { benchLiveSync } from "./live-sync.ts";
import { benchMarket, benchPriceLog } from "./market.ts";
import { benchMemory } from "./memory.ts";
import { benchNewCatalog } from "./new-catalog.ts";
import { benchPostgres } from "./postgres.ts";
import type { Row } from "./row.ts";
import { benchStart } from "./start.ts";
import { benchWeb } from "./web.ts";
import { SEED } from "@gpu-offers/testkit/synthetic";
import { benchPicker, benchWithoutService } from "./picker.ts";

// Measures ratios against a named reference in the same run; absolute figures depend on the machine.
//   pnpm bench            everything, about six minutes
//   pnpm bench 50k        without the million
//   pnpm bench http       only the list endpoint
//   pnpm bench picker     only the picker
//   pnpm bench live       only live sources
//   pnpm bench listings   only listings with words
//   pnpm bench web        only the page in Chromium, two minutes

const chosen = new Set(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), "gpu-offers-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const small = memoize(() => makeCatalog(folder, 10_000));
const middle = memoize(() => makeCatalog(folder, 50_000));
const large = memoize(() => makeCatalog(folder, 1_000_000));

/** The rows in the order of the table, by the word that selects them alone; those of the million by `1m`. */
const parts: [word: string, rows: () => Promise<Row | undefined | readonly Row[]>][] = [
  ["http", async () => benchHttp(folder, await middle())],
  ["http", async () => benchNginx(folder, await middle())],
  ["50k", async () => benchDomainQuery((await middle()).count)],
  ["50k", async () => benchPostgres((await middle()).count)],
  ["50k", async () => benchStart(await middle())],
  ["50k", async () => benchImport(folder)],
  ["listings", async () => benchListings(folder)],
  ["50k", async () => benchMarket(await middle())],
  ["50k", async () => benchPriceLog(folder, (await middle()).count)],
  ["50k", async () => benchNewCatalog(folder, await middle())],
  ["live", async () => benchLiveSync(folder, await middle())],
  ["1m", async () => benchSize(await small(), await large())],
  ["1m", async () => benchDomainQuery((await large()).count)],
  ["1m", async () => benchMemory(await small(), await large())],
  ["picker", async () => benchPicker(folder, await makeCatalog(folder, 5_000), { maxMb: 120, isWhole: true })],
  ["picker", async () => benchPicker(folder, await middle(), { maxMb: 200, isWhole: false })],
  ["picker", async () => benchWithoutService(folder)],
  ["web", async () => benchWeb(folder)],
];

process.stdout.write(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, seed ${SEED}\n\n`,
);
process.stdout.write("| what | reference | measured | ratio | bar | met |\n| --- | --- | --- | --- | --- | --- |\n");
for (const [word, rows] of parts) {
  if (chosen.size === 0 || chosen.has(word) || (chosen.has("50k") && word !== "1m")) {
    [await rows()].flat().forEach((row) => row && print(row));
  }
}

function print({ what, reference, measured, ratio, bar, isMet }: Row): void {
  process.stdout.write(
    `| ${what} | ${reference} | ${measured} | ${ratioText(ratio)} | ${bar} | ${isMet ? "yes" : "no"} |\n`,
  );
}

function ratioText(ratio: number | undefined): string {
  if (ratio === undefined) {
    return "–";
  }
  return ratio >= 100 ? Math.round(ratio).toLocaleString("en-US") : ratio.toFixed(2);
}

/** A function that makes its result when first called. */
function memoize<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
