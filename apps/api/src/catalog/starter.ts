import { createReadStream } from "node:fs";
import { readNative } from "@gpu-offers/sources";
import { importCatalog, isPristine } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import { STARTER_CATALOG } from "../package-folder.js";

/**
 * Loads the starter catalog, a dated sample, into a database that never had a catalog. Returns the number of offers, or
 * undefined if there is or was a catalog: one that was emptied stays empty.
 */
export async function seedStarterCatalog(database: Database): Promise<number | undefined> {
  if (!(await isPristine(database))) {
    return undefined;
  }
  let asOf: string | undefined;
  const report = await importCatalog(database, {
    items: readNative(createReadStream(STARTER_CATALOG), {
      onHeader: (header) => {
        asOf = header.asOf;
      },
    }),
    asOf: () => asOf,
    cause: "starter catalog",
    limit: { count: 0 },
    isFirst: true,
  });
  if (report.outcome !== "rejected") {
    return report.rows.offers;
  }
  if (await isPristine(database)) {
    throw new Error(`The starter catalog is broken: ${report.problem}`);
  }
  // A concurrent import or another instance was faster.
  return undefined;
}
