import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { makeCatalog } from "./catalogs.ts";
import { benchDomainQuery } from "./domain-query.ts";
import { benchHttp, benchSize } from "./http.ts";
import { benchImport } from "./import.ts";
import { benchMemory } from "./memory.ts";
import { benchNewCatalog } from "./new-catalog.ts";
import { benchPostgres } from "./postgres.ts";
import type { Row } from "./row.ts";
import { benchStart } from "./start.ts";
import { SEED } from "./synthetic.ts";

// Measures ratios against a named reference, side by side in one run. Absolute figures are of the machine.
//   pnpm bench            everything, about six minutes
//   pnpm bench 50k        without the million

const isShort = process.argv.includes("50k");
const folder = mkdtempSync(join(tmpdir(), "gpu-offers-bench-"));
// PostgreSQL runs as a user of its own when the benchmark runs as root.
chmodSync(folder, 0o755);
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

process.stdout.write(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, seed ${SEED}\n\n`,
);
process.stdout.write("| what | reference | measured | ratio | bar | met |\n| --- | --- | --- | --- | --- | --- |\n");

async function measure(row: Promise<Row> | Row): Promise<void> {
  const { what, reference, measured, ratio, bar, isMet } = await row;
  const shown = ratio >= 100 ? Math.round(ratio).toLocaleString("en-US") : ratio.toFixed(2);
  process.stdout.write(`| ${what} | ${reference} | ${measured} | ${shown} | ${bar} | ${isMet ? "yes" : "no"} |\n`);
}

const small = await makeCatalog(folder, 10_000);
const middle = await makeCatalog(folder, 50_000);
await measure(benchHttp(folder, middle));
await measure(benchDomainQuery(middle.count));
await measure(benchPostgres(folder, middle.count));
await measure(benchStart(middle));
await measure(benchImport(folder));
await measure(benchNewCatalog(folder, middle));
if (!isShort) {
  const large = await makeCatalog(folder, 1_000_000);
  await measure(benchSize(small, large));
  await measure(benchDomainQuery(large.count));
  await measure(benchMemory(small, large));
}
