import { setImmediate as nextTurn } from "node:timers/promises";
import {
  gpuFacts,
  ListingCatalog,
  ListingCursor,
  ListingIndex,
  listingTotal,
  present,
  SearchIndexBuilder,
  type ListingFacts,
  type ListingQuery,
  type Offer,
  type RestrictedImage,
  type SourceStatus,
  type Storage,
} from "@gpu-offers/domain";
import type { Freshness } from "@gpu-offers/store/freshness";
import { listingsTag } from "../catalog/catalog-tag.js";
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

/** What all listings of a provider share, as JSON. */
interface ProviderTexts {
  beforeStale: string;
  afterStale: string;
}

/** The listings of a snapshot, with the age of its prices. */
export class ListingView {
  /** The sources of the offers, and the age of their prices. */
  readonly sources: readonly SourceStatus[];
  /** Entity tag of all lists. */
  readonly etag: string;
  readonly #sources: ReadonlyMap<string, SourceStatus>;
  readonly #providerTexts = new Map<string, ProviderTexts>();
  readonly #factsTexts = new Map<string, string>();
  readonly #storageTexts = new Map<Storage, string>();
  readonly #cursors: Readonly<Record<"spot" | "onDemand", ListingCursor>>;

  constructor(
    readonly snapshot: Snapshot,
    readonly freshness: Freshness,
    readonly catalog: ListingCatalog,
  ) {
    this.sources = freshness.describe(snapshot.countByProvider());
    this.#sources = new Map(this.sources.flatMap((source) => source.providers.map((name) => [name, source] as const)));
    const { columns } = snapshot.listings;
    this.#cursors = { spot: new ListingCursor(columns, true), onDemand: new ListingCursor(columns) };
    const ages = [...this.#sources].map(([name, { pricesAsOf, stock, name: source }]) => [
      name,
      pricesAsOf,
      stock,
      source,
    ]);
    this.etag = listingsTag(snapshot.etag, snapshot.factsMark, JSON.stringify(ages));
  }

  /** The facts at a position. */
  factsAt(position: number): ListingFacts {
    return { ...(JSON.parse(this.#factsText(position)) as ListingFacts), storage: this.#at(position).storage };
  }

  /** The listing at a position. */
  listingAt(position: number): ListingFacts & { offer: Offer } {
    const offer = JSON.parse(this.snapshot.offerText(position)) as Offer;
    return { offer, ...this.factsAt(position) };
  }

  /** The distinct providers of some listings. */
  providersAt(positions: Iterable<number>): readonly string[] {
    const { codes, values } = this.snapshot.listings.columns;
    const found = new Set(Array.from(positions, (position) => codes.provider[position]));
    return values.provider.flatMap(({ name }, code) => (found.has(code) ? [name] : []));
  }

  /** The images that a listing can boot, as far as they are known. */
  imagesOf(provider: string, instanceType: string | null): readonly RestrictedImage[] {
    return (this.catalog.names.images.get(provider) ?? []).filter(
      ({ instanceTypes = [] }) =>
        instanceTypes.length === 0 || instanceType === null || instanceTypes.includes(instanceType),
    );
  }

  /** The listing at a position as JSON, joined from texts that many listings share. */
  textAt(position: number, terms: Terms): string {
    const { offer, storage } = this.#at(position, terms);
    const { beforeStale, afterStale } = this.#providerText(offer.provider.name);
    const isStale = this.snapshot.listings.stale[position] === 1;
    const facts = this.#factsText(position).slice(1, -1);
    const total = JSON.stringify(listingTotal(offer, terms));
    return `{"offer":${this.snapshot.offerText(position)},${facts},"storage":${this.#storageText(storage)},${beforeStale}${isStale}${afterStale},"facts":${this.#gpuText(offer.gpu.slug)},"total":${total}}`;
  }

  #storageText(storage: Storage): string {
    let text = this.#storageTexts.get(storage);
    if (text === undefined) {
      text = JSON.stringify(storage);
      this.#storageTexts.set(storage, text);
    }
    return text;
  }

  #at(position: number, { isSpot = false }: Partial<Terms> = {}): ListingCursor {
    const cursor = isSpot ? this.#cursors.spot : this.#cursors.onDemand;
    cursor.at = position;
    return cursor;
  }

  #factsText(position: number): string {
    return present(this.snapshot.listings.facts[position]);
  }

  #providerText(provider: string): ProviderTexts {
    let texts = this.#providerTexts.get(provider);
    if (texts === undefined) {
      const { pricesAsOf = null, stock = "unknown", name = provider } = this.#sources.get(provider) ?? {};
      const [before, after] = [{ pricesAsOf }, { stock, source: name }].map((part) =>
        JSON.stringify(part).slice(1, -1),
      );
      texts = { beforeStale: `${before},"isStale":`, afterStale: `,${after}` };
      this.#providerTexts.set(provider, texts);
    }
    return texts;
  }

  #gpuText(slug: string): string {
    let text = this.#factsTexts.get(slug);
    if (text === undefined) {
      text = JSON.stringify(gpuFacts(slug) ?? null);
      this.#factsTexts.set(slug, text);
    }
    return text;
  }
}
