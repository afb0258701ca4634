import type { SourceImage } from "@gpu-offers/sources";
import type { NativeRow } from "@gpu-offers/testkit/native-catalogs";
import { itemsOf } from "./catalog-items.ts";
import { importCatalog } from "../src/catalog-import.ts";
import { withDatabase } from "./databases.ts";

/**
 * Imports a catalog that a test needs but isn't about, without the time that a command takes to start.
 * @returns false if it changes nothing.
 */
export async function storeCatalog(
  database: string,
  rows: readonly NativeRow[],
  images: readonly SourceImage[] = [],
): Promise<boolean> {
  const items = await itemsOf(rows, images);
  // The date of native documents in tests.
  const asOf = (): string => "2026-11-01";
  const report = await withDatabase(database, (opened) => importCatalog(opened, { items, asOf, cause: "test" }));
  if (report.problem !== undefined) {
    throw new Error(report.problem);
  }
  return report.outcome === "imported";
}
