import { admin, adminDone } from "@gpu-offers/testkit/admin";
import { nativeDocument, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { describe, expect, test } from "vitest";
import { catalogCheckJson } from "../src/catalog-check.ts";
import { importNative } from "./catalog-commands.ts";

describe("catalog check", () => {
  test("lists prices without a date as of unknown age", { timeout: 120_000 }, async () => {
    const databasePath = tempDatabase();
    const undated = nativeDocument(nativeRows(1)).replace('"type":"vm"', '"type":"vm","asOf":null');
    await importNative(databasePath, tempFile("catalog.json", undated));
    const { stdout } = await adminDone(databasePath, "catalog", "check", "--json");
    expect(catalogCheckJson.parse(JSON.parse(stdout)).old_providers).toEqual([
      { provider: "fjord", source: null, prices_as_of: null, days: null },
    ]);
    const status = await adminDone(databasePath, "source", "status", "--json");
    expect(JSON.parse(status.stdout)).toMatchObject({ sources: [{ prices_as_of: null, age_seconds: null }] });
  });

  test("requires a catalog and sensible limits", { timeout: 120_000 }, async () => {
    const empty = await admin(tempDatabase(), "catalog", "check");
    expect(empty.code).not.toBe(0);
    const wrong = await admin(tempDatabase(), "catalog", "check", "--price-factor", "1");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("greater than 1") });
  });
});
