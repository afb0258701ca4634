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

const byFile = names.toSorted((a, b) => catalogs[a].file.localeCompare(catalogs[b].file));

/** The expected README with its table. The samples must have been read. */
function readmeWithTable(): string {
  return withTable(readFileSync(readme, "utf8"), "catalogs", [HEAD, ...byFile.map(cellsOf)]);
}

function cellsOf(name: CatalogName): string[] {
  const [version = "", cloud = ""] = catalogs[name].file.split("/");
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

describe.skipIf(!present)(`the sample catalogs${skipped}`, () => {
  beforeAll(readCatalogs);

  test.each(names)("of %s give an offer, a rejection or a skipped row for every row", (name) => {
    const expected = catalogs[name];
    const items = rowsOf(name).map(({ item }) => item);
    const rejections: Record<string, number> = {};
    for (const { code } of ofKind(items, "rejection")) {
      rejections[code] = (rejections[code] ?? 0) + 1;
    }
    expect({
      rows: items.length,
      offers: offersOf(items).length,
      skipped: ofKind(items, "skipped").length,
      rejections,
    }).toEqual({
      rows: expected.rows,
      offers: expected.offers,
      skipped: expected.skipped,
      rejections: expected.rejections,
    });
    const rejected = Object.values(rejections).reduce((sum, count) => sum + count, 0);
    expect(expected.offers + expected.skipped + rejected).toBe(expected.rows);
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
