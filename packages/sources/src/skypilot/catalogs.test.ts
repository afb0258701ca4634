import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { canHaveNvlink, knowsNvlink } from "../catalog-quality.js";
import { CrossProductDetector } from "../cross-product.js";
import { expectPage, withTable } from "../markdown-table.fixture.js";
import { ofKind, offersOf } from "../source.fixture.js";
import {
  allOffers,
  catalogs,
  names,
  offers,
  present,
  readCatalogs,
  rowsOf,
  skipped,
  type CatalogName,
} from "./catalogs.fixture.js";

// The README's table of real files, generated from the files themselves.

/** The README of the package. */
const readme = new URL("../../README.md", import.meta.url);

const HEAD = ["catalog", "rows", "offers", "rejected", "located", "NVLink known", "available"];

const byFile = names.toSorted((a, b) => catalogs[a].localeCompare(catalogs[b]));

/** The expected README with its table. The samples must have been read. */
function readmeWithTable(): string {
  return withTable(readFileSync(readme, "utf8"), "catalogs", [HEAD, ...byFile.map(cellsOf)]);
}

function cellsOf(name: CatalogName): string[] {
  const [version = "", cloud = ""] = catalogs[name].split("/");
  const items = rowsOf(name).map(({ item }) => item);
  const found = ofKind(items, "offer");
  const rejections = Map.groupBy(ofKind(items, "rejection"), ({ code }) => code);
  const rejected = [...rejections.values()].reduce((sum, { length }) => sum + length, 0);
  const located = found.filter(({ offer }) => offer.regionInfo.countryCode !== "ZZ");
  const joinable = found.filter(({ offer }) => offer.gpuCount > 1 && canHaveNvlink(offer.gpu.slug));
  const detector = new CrossProductDetector();
  found.forEach((item) => detector.add(item));
  const isCrossProduct = detector.found().length > 0;
  const available = isCrossProduct ? [] : found.filter(({ offer }) => offer.isAvailable);
  return [
    `${cloud} (${version})`,
    counted(found.length + rejected),
    counted(found.length),
    [...rejections].map(([code, { length }]) => `${counted(length)} \`${code}\``).join(", ") || "-",
    partOf(located.length, found.length),
    partOf(
      joinable.filter(({ offer, instanceType }) => knowsNvlink(offer, instanceType ?? null)).length,
      joinable.length,
    ),
    `${counted(available.length)}${isCrossProduct ? " (cross product)" : ""}`,
  ];
}

const counted = (value: number) => value.toLocaleString("en-US");

/** A part of a whole as `3 of 4`, or `-` if the whole is 0. */
const partOf = (part: number, whole: number) => (whole === 0 ? "-" : `${counted(part)} of ${counted(whole)}`);

/** What every sample gives. */
const EXPECTED: Record<CatalogName, object> = {
  aws: { rows: 33_734, offers: 1489, skipped: 31_872, rejections: { not_a_gpu: 372, no_price: 1 } },
  azure: { rows: 5969, offers: 165, skipped: 5782, rejections: { fractional_gpu: 21, no_price: 1 } },
  // 2,815 machines without GPUs are skipped, and the 40 prices of cards that the offers contain.
  gcp: { rows: 3058, offers: 40, skipped: 2855, rejections: { sold_apart: 132, not_a_gpu: 31 } },
  cudo: { rows: 69, offers: 69, skipped: 0, rejections: {} },
  do: { rows: 38, offers: 2, skipped: 36, rejections: {} },
  fluidstack: { rows: 14, offers: 14, skipped: 0, rejections: {} },
  lambda: { rows: 234, offers: 221, skipped: 13, rejections: {} },
  paperspace: { rows: 19, offers: 14, skipped: 5, rejections: {} },
  runpodOld: { rows: 480, offers: 480, skipped: 0, rejections: {} },
  hyperbolic: { rows: 37, offers: 37, skipped: 0, rejections: {} },
  hyperstack: { rows: 25, offers: 25, skipped: 0, rejections: {} },
  runpod: { rows: 79, offers: 79, skipped: 0, rejections: {} },
  shadeform: { rows: 118, offers: 117, skipped: 0, rejections: { not_a_gpu: 1 } },
  vast: { rows: 67, offers: 67, skipped: 0, rejections: {} },
  verda: { rows: 33, offers: 17, skipped: 11, rejections: { spot_only: 5 } },
};

describe.skipIf(!present)(`the sample catalogs${skipped}`, () => {
  beforeAll(readCatalogs);

  test.each(names)("of %s give an offer, a rejection or a skipped row for every row", (name) => {
    const items = rowsOf(name).map(({ item }) => item);
    const rejections: Record<string, number> = {};
    for (const { code } of ofKind(items, "rejection")) {
      rejections[code] = (rejections[code] ?? 0) + 1;
    }
    const counts = { rows: items.length, offers: offersOf(items).length, skipped: ofKind(items, "skipped").length };
    expect({ ...counts, rejections }).toEqual(EXPECTED[name]);
    const rejected = Object.values(rejections).reduce((sum, count) => sum + count, 0);
    expect(counts.offers + counts.skipped + rejected).toBe(counts.rows);
  });

  test("skip exactly the rows without an accelerator", () => {
    // Google Cloud's card prices are part of other rows.
    for (const { row, item } of names.filter((name) => name !== "gcp").flatMap((name) => rowsOf(name))) {
      expect(item.kind === "skipped").toBe(row["AcceleratorName"] === "");
    }
  });

  test("give ids that are unique across all files", () => {
    const ids = allOffers().map(({ id }) => id);
    expect(ids).toHaveLength(2836);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(names.filter((name) => name !== "hyperbolic"))(
    "of %s have country and continent for all offers",
    (name) => {
      const placed = offers(name).filter(({ regionInfo }) => regionInfo.countryCode !== "ZZ");
      expect(placed.length).toBe(offers(name).length);
    },
  );

  test("have country and continent for 98 of 100 GPU rows across all files, including rejected ones", () => {
    const placed = allOffers().filter(({ regionInfo }) => regionInfo.countryCode !== "ZZ");
    expect(placed.length / allOffers().length).toBeGreaterThan(0.98);
  });

  test("match the README's table", async () => {
    await expectPage(readmeWithTable(), fileURLToPath(readme), "vitest run --project sources catalogs.test -u");
  });
});
