import {
  idsCalled,
  imageFits,
  ListingIndex,
  present,
  type ListingColumnParts,
  type ListOffersQuery,
  type MarketPart,
  type PreparedIndex,
  type RestrictedImage,
} from "@gpu-offers/domain";
import { OfferIndex, type OfferIndexPage, type OfferIndexParts } from "@gpu-offers/domain/paging";
import type { Freshness } from "@gpu-offers/store/freshness";
import { catalogTag } from "./catalog-tag.js";
import type { TextColumn } from "./text-column.js";
import type { Revision, StoredProvider } from "@gpu-offers/store/catalog.store";

// A complete catalog of one revision, ready to serve: all offers as bytes, and the index that finds those of a page.
// Snapshots are immutable; a new catalog is a new snapshot.

/** Parts of a snapshot. They have no methods, so threads can transfer them. */
export interface SnapshotParts {
  revision: Revision;
  providers: StoredProvider[];
  /** The offers as JSON in UTF-8, one after another. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The start of each offer in `bytes`, also of those that are gone, then the end of the last one. */
  offsets: Uint32Array<ArrayBuffer>;
  /** Index in `providers` of each offer's provider. */
  owners: Uint16Array<ArrayBuffer>;
  index: Omit<OfferIndexParts, "buffers">;
  /** What each GPU costs at each provider. */
  market: MarketPart[];
  listings: ListingParts;
  stock: StockParts;
  /** Ids of the offers that are gone: positions after those of the index, which only listings have. */
  gone: readonly string[];
}

interface StockParts {
  /** The last observation that knows stock, ISO 8601 UTC; null if there is none. */
  asOf: string | null;
  /** What is remembered of each GPU by its slug, as the members of a JSON array in UTF-8. */
  gpus: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** What sources state beyond the offers, by position. */
interface ListingParts {
  /** What listing queries filter and sort by. */
  columns: ListingColumnParts;
  prepared: PreparedIndex;
  /** All facts of each offer, as the members of a JSON object. */
  facts: TextColumn;
  /** 1 for offers that weren't confirmed for too long. */
  stale: Uint8Array<ArrayBuffer>;
}

/** Takes too long for a thread that serves. */
export function prepareListings(columns: ListingColumnParts): PreparedIndex {
  return new ListingIndex(columns).prepare();
}

/** The body of a catalog response, and the snapshot that it was built from. */
export class Representation {
  /** @param body JSON in UTF-8. @param providers names of the providers whose offers or images it holds. */
  constructor(
    readonly snapshot: Snapshot,
    readonly body: Buffer,
    readonly providers: readonly string[],
    readonly traits: RepresentationTraits = {},
  ) {}

  /** Strong entity tag. */
  get etag(): string {
    return this.traits.listings?.etag ?? this.snapshot.etag;
  }

  get isImageList(): boolean {
    return this.traits.isImageList === true;
  }
}

/** What distinguishes a catalog response from a list of offers. */
interface RepresentationTraits {
  /** Image lists may be cached for an hour; all else is revalidated, since a price must not be an old one. */
  isImageList?: boolean;
  /** Listings state the age of prices, so they are valid as long as it is, and have a tag of their own. */
  listings?: { etag: string; freshness: Freshness };
}

const LIST_START = Buffer.from('{"offers":[');
const COMMA = ",".charCodeAt(0);

export class Snapshot {
  readonly revision: Revision;
  /** When it was loaded, by the clock of the {@link Catalog}. */
  readonly loadedAtMs: number;
  /** Strong entity tag of every response from this catalog. */
  readonly etag: string;
  /** What each GPU costs at each provider. */
  readonly market: readonly MarketPart[];
  /** The distinct GPUs of its offers. */
  readonly listedGpus: readonly MarketPart["gpu"][];
  readonly listings: ListingParts;
  readonly stock: StockParts;
  /** Position of each offer that is gone. */
  readonly gone: ReadonlyMap<string, number>;
  readonly #providerList: Buffer;
  readonly #bytes: Buffer;
  readonly #offsets: Uint32Array;
  readonly #index: OfferIndex;
  readonly #owners: Uint16Array;
  readonly #names: readonly string[];
  #counts: ReadonlyMap<string, number> | undefined;
  readonly images: ReadonlyMap<string, readonly RestrictedImage[]>;

  /**
   * @param formatVersion Changes with the software when the same catalog would be written differently.
   * @param staleMark Identifies the stale parts (see Freshness), which change availability.
   * @param factsMark Identifies what sources state beyond the offers, which isn't part of the revision.
   */
  constructor(
    parts: SnapshotParts,
    loadedAtMs: number,
    formatVersion: string,
    readonly staleMark = "",
    readonly factsMark = "",
  ) {
    this.revision = parts.revision;
    this.loadedAtMs = loadedAtMs;
    this.etag = catalogTag(parts.revision, formatVersion, staleMark);
    this.#providerList = jsonBytes({ data: parts.providers.map(({ name, type }) => ({ name, type })) });
    this.#bytes = Buffer.from(parts.bytes.buffer, parts.bytes.byteOffset, parts.bytes.byteLength);
    this.#offsets = parts.offsets;
    this.#index = OfferIndex.fromParts(parts.index);
    this.market = parts.market;
    this.listedGpus = [...new Map(parts.market.map(({ gpu }) => [gpu.slug, gpu])).values()];
    this.listings = parts.listings;
    this.stock = parts.stock;
    this.gone = new Map(parts.gone.map((id, place) => [id, this.#index.size + place]));
    this.#owners = parts.owners;
    this.#names = parts.providers.map(({ name }) => name);
    this.images = new Map(parts.providers.map((provider) => [provider.name, provider.images]));
  }

  get offerCount(): number {
    return this.#index.size;
  }

  /** Position of each offer in list order: by pricePerGpu, priceHourly and id. */
  get listOrder(): Uint32Array {
    return this.#index.listOrder;
  }

  get providerCount(): number {
    return this.images.size;
  }

  countByProvider(): ReadonlyMap<string, number> {
    if (this.#counts === undefined) {
      const counts = new Uint32Array(this.#names.length);
      for (const owner of this.#owners) {
        counts[owner] = present(counts[owner]) + 1;
      }
      this.#counts = new Map(this.#names.map((name, index) => [name, present(counts[index])]));
    }
    return this.#counts;
  }

  findOffer(id: string): Representation | undefined {
    const at = this.#index.find(id);
    return at === undefined ? undefined : new Representation(this, this.#offerBytes(at), this.#providersAt([at]));
  }

  /** Position of an offer, even if it is gone; undefined if no offer has this id. */
  findPosition(id: string): number | undefined {
    return this.#index.find(id) ?? this.gone.get(id);
  }

  /** Positions of the offers that an id or its start stands for, even if they are gone. */
  findPositions(start: string): number[] {
    const gone = idsCalled(start, this.gone.keys()).map((id) => present(this.gone.get(id)));
    return [...this.#index.findByStart(start), ...gone];
  }

  offerText(position: number): string {
    return this.#offerBytes(position).toString();
  }

  offerLength(position: number): number {
    return this.#end(position) - this.#start(position);
  }

  /** Copies the JSON of the offer at a position to a place in a buffer. Returns the end of what was written. */
  copyOffer(position: number, target: Buffer, at: number): number {
    const offer = this.#offerBytes(position);
    target.set(offer, at);
    return at + offer.length;
  }

  /** A page of offers as JSON: the list that `GET /api/v1/offers` returns. */
  listOffers(query: ListOffersQuery): Representation {
    const page = this.#index.page(query);
    return new Representation(this, this.#assemblePage(page), this.#providersAt(page.positions));
  }

  listProviders(): Representation {
    return new Representation(this, this.#providerList, this.#names);
  }

  /** A provider's images as JSON, optionally for one instance type; undefined if there is no such provider. */
  findImages(provider: string, instanceType: string | undefined): Representation | undefined {
    const images = this.images.get(provider);
    if (images === undefined) {
      return undefined;
    }
    const fitting = images.filter(({ instanceTypes }) => imageFits(instanceTypes, instanceType));
    const data = fitting.map((image) => Object.assign({ ...image }, { instanceTypes: undefined }));
    return new Representation(this, jsonBytes({ data }), [provider], { isImageList: true });
  }

  #assemblePage(page: OfferIndexPage): Buffer {
    const tail = `],"page":${page.page},"totalPages":${page.totalPages},"totalElements":${page.totalElements},"hasMore":${page.hasMore}}`;
    let length = LIST_START.length + tail.length + Math.max(0, page.positions.length - 1);
    let first = LIST_START[0] ?? 0;
    for (const position of page.positions) {
      const start = this.#start(position);
      length += this.#end(position) - start;
      // Offers lie far apart. Reading one byte of each, all braces, lets the processor wait for all of them at once.
      first |= this.#bytes[start] ?? 0;
    }
    const list = Buffer.allocUnsafe(length);
    let at = LIST_START.copy(list);
    list[0] = first;
    for (const position of page.positions) {
      if (at > LIST_START.length) {
        list[at++] = COMMA;
      }
      at = this.copyOffer(position, list, at);
    }
    list.write(tail, at, "latin1");
    return list;
  }

  /** The distinct providers of some offers, in catalog order. */
  #providersAt(positions: Iterable<number>): readonly string[] {
    const owners = new Set<number>();
    for (const position of positions) {
      owners.add(present(this.#owners[position]));
    }
    return [...owners].sort((a, b) => a - b).map((owner) => present(this.#names[owner]));
  }

  #start(position: number): number {
    return present(this.#offsets[position]);
  }

  #end(position: number): number {
    return present(this.#offsets[position + 1]);
  }

  #offerBytes(position: number): Buffer {
    return this.#bytes.subarray(this.#start(position), this.#end(position));
  }
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
