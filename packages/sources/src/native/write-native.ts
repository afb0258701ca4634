import { isAnyFactKnown, type ListingFacts, type Offer } from "@gpu-offers/domain";
import type { SourceProvider } from "../source-item.js";
import { NATIVE_FORMAT, nativeHeaderSchema } from "./native-schema.js";

/** Metadata of a written catalog. */
export interface NativeHeader {
  /** A date, or an ISO 8601 timestamp in UTC, of the newest figures. */
  asOf: string;
  /** Origin of the figures. */
  note?: string;
  /** Number of offers that follow. */
  offerCount?: number;
}

/** An offer to write, and what its source states beyond it. */
export interface CatalogOffer {
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
  /** What its source states beyond it. */
  listing: ListingFacts;
}

/**
 * Writes a catalog as NDJSON, one line per chunk. Reading it gives the same providers, images, offers and facts.
 * @param offers Published offers, each of one of the providers.
 * @throws ZodError if `asOf` is not a date.
 */
export async function* writeNative(
  header: NativeHeader,
  providers: Iterable<SourceProvider> | AsyncIterable<SourceProvider>,
  offers: Iterable<CatalogOffer> | AsyncIterable<CatalogOffer>,
): AsyncGenerator<string> {
  yield line(nativeHeaderSchema.parse({ format: NATIVE_FORMAT, ...header }));
  for await (const provider of providers) {
    yield line({ provider });
  }
  for await (const { offer, listing } of offers) {
    yield line({ offer: isAnyFactKnown(listing) ? { ...offer, listing: knownFacts(listing) } : offer });
  }
}

/** The known facts; those that are left out are unknown to the reader, too. */
export function knownFacts(listing: ListingFacts): Partial<ListingFacts> {
  const isKnown = (value: unknown) => value !== null && !(typeof value === "object" && Object.keys(value).length === 0);
  return Object.fromEntries(
    Object.entries({ ...listing, sample: listing.sample || null }).filter(([, value]) => isKnown(value)),
  );
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
