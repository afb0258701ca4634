import { join } from "node:path";
import { UNKNOWN_LISTING_FACTS, type ListingFacts, type Offer } from "@gpu-offers/domain";
import type { SourceItem } from "@gpu-offers/sources";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import { openDatabase } from "@gpu-offers/store/database";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";

/** A database file with a synthetic catalog. */
export interface Catalog {
  databasePath: string;
  count: number;
}

/** Makes a database with `count` synthetic offers. */
export async function makeCatalog(folder: string, count: number): Promise<Catalog> {
  const databasePath = join(folder, `${count}.sqlite`);
  await putOffers(databasePath, syntheticOffers(count));
  return { databasePath, count };
}

/** Imports offers into a database file, as `catalog import` does. */
export async function putOffers(
  databasePath: string,
  offers: Iterable<Offer>,
  statedOf: (number: number) => ListingFacts = () => UNKNOWN_LISTING_FACTS,
): Promise<void> {
  const database = await openDatabase(`sqlite:${databasePath}`);
  try {
    await importCatalog(database, { items: itemsOf(offers, statedOf), cause: "benchmark" });
  } finally {
    await database.destroy();
  }
}

async function* itemsOf(
  offers: Iterable<Offer>,
  statedOf: (number: number) => ListingFacts,
): AsyncGenerator<SourceItem> {
  yield { kind: "provider", where: "start", provider: { name: "synthetic", type: "vm", images: [] } };
  let number = 0;
  for (const offer of offers) {
    yield { kind: "offer", listing: statedOf(number++), where: "row", offer };
  }
}
