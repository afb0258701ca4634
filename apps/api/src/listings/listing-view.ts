import {
  ambiguousIdText,
  gpuFacts,
  imageFits,
  ListingCatalog,
  ListingCursor,
  ListingIndex,
  listingTotal,
  memoized,
  present,
  type ListingFacts,
  type ListingQuery,
  type Offer,
  type RestrictedImage,
  type SourceStatus,
} from "@gpu-offers/domain";
import { rentUrl } from "@gpu-offers/domain/launching";
import type { Freshness } from "@gpu-offers/store/freshness";
import { listingsTag } from "../catalog/catalog-tag.js";
import type { Snapshot } from "../catalog/snapshot.js";
import { Injectable } from "@nestjs/common";
import { GpuMarket } from "./gpu-market.js";
import { Catalog } from "../catalog/catalog.js";
import { invalidParameters } from "../wire/api-error.js";
import { inSlices } from "../wire/loop-turns.js";

// The listings of one snapshot: what queries are evaluated with, and the JSON of each.

/** The listings of a snapshot with the names of queries. Their index was made where the catalog was loaded. */
export function indexListings(snapshot: Snapshot): ListingCatalog {
  const { columns, prepared } = snapshot.listings;
  return new ListingCatalog(new ListingIndex(columns, prepared), snapshot.images);
}

export type Terms = Pick<ListingQuery, "disk" | "hours"> & { isSpot: boolean };

const BEFORE_OFFER = Buffer.from('{"offer":');
const COMMA = ",".charCodeAt(0);
const CLOSE = "}".charCodeAt(0);

/** The listings of a snapshot, with the age of its prices. */
export class ListingView {
  /** The sources of the offers, and the age of their prices. */
  readonly sources: readonly SourceStatus[];
  readonly market: GpuMarket;
  /** Entity tag of all lists. */
  readonly etag: string;
  readonly #sources: ReadonlyMap<string, SourceStatus>;
  readonly #providerTexts = new Map<string, Buffer>();
  readonly #gpuTexts = new Map<string, Buffer>();
  readonly #facts: Buffer;
  readonly #cursors: Readonly<Record<"spot" | "onDemand", ListingCursor>>;

  constructor(
    readonly snapshot: Snapshot,
    readonly freshness: Freshness,
    readonly catalog: ListingCatalog,
  ) {
    this.sources = freshness.describe(snapshot.countByProvider());
    this.market = new GpuMarket(snapshot, (provider) => this.#sources.get(provider));
    this.#sources = new Map(this.sources.flatMap((source) => source.providers.map((name) => [name, source] as const)));
    const { columns } = snapshot.listings;
    const { bytes } = snapshot.listings.facts;
    this.#facts = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#cursors = { spot: new ListingCursor(columns, true), onDemand: new ListingCursor(columns) };
    const ages = [...this.#sources].map(([name, { pricesAsOf, stock, name: source }]) => [
      name,
      pricesAsOf,
      stock,
      source,
    ]);
    const facts = JSON.stringify([ages, snapshot.stock.asOf, columns.size]);
    this.etag = listingsTag(snapshot.etag, snapshot.factsMark, facts);
  }

  factsAt(position: number): ListingFacts {
    const [start, end] = this.#factsRange(position);
    return JSON.parse(`{${this.#facts.toString("utf8", start, end)}}`) as ListingFacts;
  }

  /** Time or date of a provider's prices; null if it is unknown. */
  pricesAsOf(provider: string): string | null {
    return this.#sources.get(provider)?.pricesAsOf ?? null;
  }

  listingAt(position: number): ListingFacts & { offer: Offer } {
    return { offer: JSON.parse(this.snapshot.offerText(position)) as Offer, ...this.factsAt(position) };
  }

  /** Position of the listing that an id or its start stands for; undefined if there is none. @throws ApiError if there are several. */
  positionOf(id: string): number | undefined {
    const positions = this.snapshot.findPositions(id);
    if (positions.length > 1) {
      const reason = ambiguousIdText(positions.map((position) => this.listingAt(position).offer.id));
      throw invalidParameters([{ in: "path", name: "id", reason }]);
    }
    return positions[0];
  }

  /** Resolves a query; `wished` has what its words wish for. @throws ApiError if parameters contradict each other. */
  resolve(query: ListingQuery) {
    const { selection, understood, problems, query: wished } = this.catalog.prepare(query);
    if (problems.length > 0) {
      throw invalidParameters(problems.map(({ parameter: name, reason }) => ({ name, reason })));
    }
    const { disk, spot } = selection.filter;
    const terms: Terms = { disk, hours: query.hours, isSpot: spot !== undefined };
    return { selection, understood, wished, terms };
  }

  async find(query: ListingQuery): Promise<(ListingFacts & { offer: Offer })[]> {
    const { selection } = this.catalog.prepare(query);
    const { positions } = await inSlices(this.catalog.selecting(selection, { page: 0, size: query.size ?? 0 }));
    return this.listingsAt(positions);
  }

  listingsAt(positions: Iterable<number>): (ListingFacts & { offer: Offer })[] {
    return Array.from(positions, (position) => this.listingAt(position));
  }

  /** The distinct providers of some listings. */
  providersAt(positions: Iterable<number>): readonly string[] {
    const { codes, values } = this.snapshot.listings.columns;
    const found = new Set(Array.from(positions, (position) => codes.provider[position]));
    return values.provider.flatMap(({ name }, code) => (found.has(code) ? [name] : []));
  }

  /** The images that a listing can boot, as far as they are known. */
  imagesOf(provider: string, instanceType: string | null): readonly RestrictedImage[] {
    const images = this.snapshot.images.get(provider) ?? [];
    return images.filter(({ instanceTypes }) => imageFits(instanceTypes, instanceType ?? undefined));
  }

  /** The listings at positions as JSON, copied from bytes that all responses share, with a character after each. */
  write(positions: Iterable<number>, terms: Terms, separator: string): Buffer {
    const rows = Array.from(positions, (position) => this.#row(position, terms));
    const written = Buffer.allocUnsafe(rows.reduce((sum, { length }) => sum + length + 1, 0));
    const code = separator.charCodeAt(0);
    let at = 0;
    for (const { position, provider, gpu, total } of rows) {
      at += BEFORE_OFFER.copy(written, at);
      at = this.snapshot.copyOffer(position, written, at);
      written[at++] = COMMA;
      const [start, end] = this.#factsRange(position);
      at += this.#facts.copy(written, at, start, end);
      at += provider.copy(written, at);
      at += gpu.copy(written, at);
      at += written.write(total, at, "latin1");
      written[at++] = CLOSE;
      written[at++] = code;
    }
    return written;
  }

  /** A listing to write: what all of its provider, and of its GPU, have, then its cost; and the length of its JSON in bytes. */
  #row(position: number, terms: Terms) {
    const cursor = terms.isSpot ? this.#cursors.spot : this.#cursors.onDemand;
    cursor.at = position;
    const { offer } = cursor;
    const isStale = this.snapshot.listings.stale[position] === 1;
    const provider = memoized(this.#providerTexts, `${offer.provider.name} ${isStale}`, () =>
      this.#providerText(offer.provider.name, isStale),
    );
    const { slug } = offer.gpu;
    const gpu = memoized(this.#gpuTexts, slug, () =>
      Buffer.from(`,"facts":${JSON.stringify(gpuFacts(slug) ?? null)},"total":`),
    );
    const url = rentUrl(offer, () => this.factsAt(position));
    const total = `${JSON.stringify(listingTotal(offer, terms))},"rentUrl":${JSON.stringify(url)}`;
    const [start, end] = this.#factsRange(position);
    const shared = BEFORE_OFFER.length + provider.length + gpu.length + 2;
    const length = shared + this.snapshot.offerLength(position) + end - start + total.length;
    return { position, provider, gpu, total, length };
  }

  #factsRange(position: number): [start: number, end: number] {
    const { codes, starts } = this.snapshot.listings.facts;
    const code = present(codes[position]);
    return [present(starts[code]), present(starts[code + 1])];
  }

  #providerText(provider: string, isStale: boolean): Buffer {
    const { pricesAsOf = null, stock = "unknown", name: source = provider } = this.#sources.get(provider) ?? {};
    return Buffer.from(`,${JSON.stringify({ pricesAsOf, isStale, stock, source }).slice(1, -1)}`);
  }
}

/** Keeps the listings of the served catalog until it or the age of its prices changes. */
@Injectable()
export class ListingViewCache {
  /** @throws NoCatalogError until a catalog is loaded. */
  readonly get: () => ListingView;

  constructor(catalog: Catalog) {
    // The index doesn't depend on the age of prices.
    let indexed: { snapshot: Snapshot; catalog: ListingCatalog } | undefined;
    this.get = catalog.derive((snapshot, freshness) => {
      if (indexed?.snapshot !== snapshot) {
        indexed = { snapshot, catalog: indexListings(snapshot) };
      }
      return new ListingView(snapshot, freshness, indexed.catalog);
    });
  }
}
