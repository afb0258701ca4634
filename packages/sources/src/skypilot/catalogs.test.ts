import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { expectPage } from "../markdown-table.fixture.js";
import { ofKind, offersOf } from "../source.fixture.js";
import { readme, readmeWithTable } from "./catalog-table.fixture.js";
import { allOffers, catalogs, names, offers, present, readCatalogs, rowsOf, skipped } from "./catalogs.fixture.js";

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
