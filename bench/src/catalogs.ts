import { UNKNOWN_LISTING_FACTS, type ListingFacts, type Offer } from "@gpu-offers/domain";
import type { SourceItem } from "@gpu-offers/sources";
import { importCatalog } from "@gpu-offers/store/catalog-import";
import { openDatabase } from "@gpu-offers/store/database";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

/** Makes a database file with `count` synthetic offers, and returns its path. */
export async function makeCatalog(count: number, statedOf?: (number: number) => ListingFacts): Promise<string> {
  const path = tempDatabase();
  await putOffers(path, syntheticOffers(count), statedOf);
  return path;
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
