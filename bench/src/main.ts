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

const isShort = process.argv.includes("50k");
const isHttpAlone = process.argv.includes("http");
const isPickerAlone = process.argv.includes("picker");
const folder = mkdtempSync(join(tmpdir(), "gpu-offers-bench-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

process.stdout.write(
  `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, seed ${SEED}\n\n`,
);
process.stdout.write("| what | reference | measured | ratio | bar | met |\n| --- | --- | --- | --- | --- | --- |\n");

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

if (process.argv.includes("web")) {
  (await benchWeb(folder)).forEach(print);
  process.exit();
}
const middle = await makeCatalog(folder, 50_000);
if (process.argv.includes("live")) {
  print(await benchLiveSync(folder, middle));
  process.exit();
}
if (process.argv.includes("listings")) {
  (await benchListings(folder)).forEach(print);
  process.exit();
}
if (!isPickerAlone) {
  (await benchHttp(folder, middle)).forEach(print);
  const behindNginx = await benchNginx(folder, middle);
  if (behindNginx !== undefined) {
    print(behindNginx);
  }
  if (isHttpAlone) {
    process.exit();
  }
  const small = await makeCatalog(folder, 10_000);
  print(benchDomainQuery(middle.count));
  print(await benchPostgres(middle.count));
  print(await benchStart(middle));
  print(await benchImport(folder));
  (await benchListings(folder)).forEach(print);
  print(await benchMarket(middle));
  print(await benchPriceLog(folder, middle.count));
  print(await benchNewCatalog(folder, middle));
  print(await benchLiveSync(folder, middle));
  if (!isShort) {
    const large = await makeCatalog(folder, 1_000_000);
    print(await benchSize(small, large));
    print(benchDomainQuery(large.count));
    print(await benchMemory(small, large));
  }
}
const few = await makeCatalog(folder, 5_000);
(await benchPicker(folder, few, { maxMb: 120, isWhole: true })).forEach(print);
(await benchPicker(folder, middle, { maxMb: 200, isWhole: false })).forEach(print);
print(await benchWithoutService(folder));
if (!isPickerAlone) {
  (await benchWeb(folder)).forEach(print);
}
