import { setImmediate as nextTurn } from "node:timers/promises";
import {
  gpuFacts,
  ListingCatalog,
  ListingCursor,
  ListingIndex,
  listingTotal,
  present,
  pricedOffer,
  SearchIndexBuilder,
  type Listed,
  type ListingFacts,
  type ListingQuery,
  type ListingTotal,
  type Offer,
  type RestrictedImage,
  type SourceStatus,
} from "@gpu-offers/domain";
import type { Freshness } from "@gpu-offers/store/freshness";
import type { Snapshot } from "../catalog/snapshot.js";

// The listings of one snapshot: what queries are evaluated with, and the JSON of each.

/** Number of listings to index before other work may run: some milliseconds. */
const INDEXED_AT_ONCE = 250;

/** The index of a snapshot's listings. */
export async function indexListings(snapshot: Snapshot): Promise<ListingCatalog> {
  const index = new ListingIndex(snapshot.listings.columns);
  const words = new SearchIndexBuilder();
  const cursor = new ListingCursor(snapshot.listings.columns);
  for (let position = 0; position < index.size; position++) {
    if (position % INDEXED_AT_ONCE === INDEXED_AT_ONCE - 1) {
      await nextTurn();
    }
    cursor.at = position;
    const { offer, instanceType, spot } = cursor.listing;
    words.add({
      offer,
      instanceType,
      spot: spot && { priceHourly: spot.priceHourly, kind: spot.kind === "bid" ? "bid" : "price" },
    });
  }
  return new ListingCatalog(index, words.build(), restrictedImages(snapshot));
}

function restrictedImages(snapshot: Snapshot): Map<string, readonly RestrictedImage[]> {
  return new Map(
    [...snapshot.images].map(([provider, images]) => [
      provider,
      images.map(({ image, instanceTypes }) => ({ ...image, instanceTypes })),
    ]),
  );
}

/** What is chosen of the terms of a listing. */
export type Terms = Pick<ListingQuery, "disk" | "hours"> & { isSpot: boolean };

/** The listings of a snapshot, with the age of its prices. */
export class ListingView {
  /** The sources of the offers, and the age of their prices. */
  readonly sources: readonly SourceStatus[];
  readonly #sources: ReadonlyMap<string, SourceStatus>;

  constructor(
    readonly snapshot: Snapshot,
    freshness: Freshness,
    readonly catalog: ListingCatalog,
  ) {
    this.sources = freshness.describe(snapshot.countByProvider());
    this.#sources = new Map(this.sources.flatMap((source) => source.providers.map((name) => [name, source] as const)));
  }

  /** Changes if the age of any price does. */
  get agesKey(): string {
    return JSON.stringify(
      [...this.#sources].map(([name, { pricesAsOf, stock, name: source }]) => [name, pricesAsOf, stock, source]),
    );
  }

  /** The facts at a position. */
  factsAt(position: number): ListingFacts {
    return JSON.parse(present(this.snapshot.listings.facts[position])) as ListingFacts;
  }

  offerAt(position: number): Offer {
    return JSON.parse(this.snapshot.offerText(position)) as Offer;
  }

  /** The images that a listing can boot, as far as they are known. */
  imagesOf(provider: string, instanceType: string | null): readonly RestrictedImage[] {
    return (this.catalog.names.images.get(provider) ?? []).filter(
      ({ instanceTypes = [] }) =>
        instanceTypes.length === 0 || instanceType === null || instanceTypes.includes(instanceType),
    );
  }

  /** The listing at a position as JSON. */
  textAt(position: number, terms: Terms): string {
    const offer = this.offerAt(position);
    const facts = this.factsAt(position);
    const source = this.#sources.get(offer.provider.name);
    const rest: Omit<Listed, "offer"> = {
      ...facts,
      pricesAsOf: source?.pricesAsOf ?? null,
      isStale: this.snapshot.listings.stale[position] === 1,
      stock: source?.stock ?? "unknown",
      source: source?.name ?? offer.provider.name,
      facts: gpuFacts(offer.gpu.slug) ?? null,
      total: totalOf(offer, facts, terms),
    };
    return `{"offer":${this.snapshot.offerText(position)},${JSON.stringify(rest).slice(1)}`;
  }
}

/** Cost of a listing with its terms. */
export function totalOf(offer: Offer, { spot }: Pick<ListingFacts, "spot">, terms: Terms): ListingTotal {
  return listingTotal(pricedOffer({ offer, spot }, terms.isSpot), terms);
}
