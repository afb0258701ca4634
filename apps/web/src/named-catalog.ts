import {
  ListingCatalog,
  ListingCursor,
  SearchIndexBuilder,
  type ListingIndex,
  type RestrictedImage,
} from "@gpu-offers/domain";

// Words and names of queries, with the domain's grammar. It is loaded apart from the list, which doesn't need it until a
// query has words or names.

/** Number of listings to index before the page may react again: some milliseconds. */
const INDEXED_AT_ONCE = 1_000;

/** A catalog that reads queries as `GET /listings` does. The listings are indexed in slices, with a pause after each. */
export async function namedCatalogOf(
  index: ListingIndex,
  images: ReadonlyMap<string, readonly RestrictedImage[]>,
  pause: () => Promise<void>,
): Promise<ListingCatalog> {
  const words = new SearchIndexBuilder();
  const cursor = new ListingCursor(index.parts);
  for (let at = 0; at < index.size; at++) {
    if (at % INDEXED_AT_ONCE === INDEXED_AT_ONCE - 1) {
      await pause();
    }
    cursor.at = at;
    const { offer, instanceType, spot } = cursor.listing;
    words.add({
      offer,
      instanceType,
      spot: spot && { priceHourly: spot.priceHourly, kind: spot.kind === "bid" ? "bid" : "price" },
    });
  }
  return new ListingCatalog(index, words.build(), images);
}
