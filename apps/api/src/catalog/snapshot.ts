import { imageFits, OfferIndex, type ListOffersQuery, type OfferIndexParts } from "@gpu-offers/domain";
import type { Revision, StoredImage, StoredProvider } from "../store/catalog.store.js";

// A whole catalog of one revision, ready to answer: every offer as bytes, written one after the other,
// and the index that says which of them make a page. It never changes; a new catalog is a new snapshot.

/** What a snapshot is made of. It holds no methods, so one thread can hand it to another. */
export interface SnapshotParts {
  revision: Revision;
  providers: StoredProvider[];
  /** The offers as JSON in UTF-8, one after the other. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Where each offer starts in `bytes`, and at last where the bytes end. */
  offsets: Uint32Array<ArrayBuffer>;
  index: OfferIndexParts;
}

const LIST_START = Buffer.from('{"offers":[');
const COMMA = ",".charCodeAt(0);

/** An immutable catalog. */
export class Snapshot {
  readonly revision: Revision;
  /** When its rows were read, in milliseconds since 1970. */
  readonly loadedAtMs: number;
  /** Strong entity tag of every answer that is made of this catalog. */
  readonly etag: string;
  /** Answer of GET /api/v1/providers. */
  readonly providerList: Buffer;
  readonly #bytes: Buffer;
  readonly #offsets: Uint32Array;
  readonly #index: OfferIndex;
  readonly #images: ReadonlyMap<string, readonly StoredImage[]>;
  /** Pages that were asked for, for as long as somebody remembers the query. */
  readonly #pages = new WeakMap<ListOffersQuery, Buffer>();

  /** @param formatVersion Changes with the software when the same catalog would be written differently. */
  constructor(parts: SnapshotParts, loadedAtMs: number, formatVersion: string) {
    this.revision = parts.revision;
    this.loadedAtMs = loadedAtMs;
    this.etag = `"${parts.revision.revision}-${parts.revision.mark}-${formatVersion}"`;
    this.providerList = jsonBytes({ data: parts.providers.map(({ name, type }) => ({ name, type })) });
    this.#bytes = Buffer.from(parts.bytes.buffer, parts.bytes.byteOffset, parts.bytes.byteLength);
    this.#offsets = parts.offsets;
    this.#index = OfferIndex.fromParts(parts.index);
    this.#images = new Map(parts.providers.map((provider) => [provider.name, provider.images]));
  }

  /** Number of offers. */
  get offerCount(): number {
    return this.#index.size;
  }

  /** Number of providers. */
  get providerCount(): number {
    return this.#images.size;
  }

  /** An offer as JSON; undefined when no offer has this id. */
  findOffer(id: string): Buffer | undefined {
    const position = this.#index.find(id);
    return position === undefined ? undefined : this.#offerBytes(position);
  }

  /** The answer of GET /api/v1/offers as JSON. The same query object gives the same bytes. */
  listOffers(query: ListOffersQuery): Buffer {
    const known = this.#pages.get(query);
    if (known !== undefined) {
      return known;
    }
    const page = this.#assemblePage(query);
    this.#pages.set(query, page);
    return page;
  }

  /** Copies a page together from the bytes of its offers. */
  #assemblePage(query: ListOffersQuery): Buffer {
    const page = this.#index.page(query);
    const tail = `],"page":${page.page},"totalPages":${page.totalPages},"totalElements":${page.totalElements},"hasMore":${page.hasMore}}`;
    let length = LIST_START.length + tail.length + Math.max(0, page.positions.length - 1);
    for (const position of page.positions) {
      length += this.#end(position) - this.#start(position);
    }
    const answer = Buffer.allocUnsafe(length);
    let at = LIST_START.copy(answer);
    for (const position of page.positions) {
      if (at > LIST_START.length) {
        answer[at++] = COMMA;
      }
      at += this.#bytes.copy(answer, at, this.#start(position), this.#end(position));
    }
    answer.write(tail, at, "latin1");
    return answer;
  }

  /**
   * The answer of GET /api/v1/providers/{provider}/images as JSON; undefined when there is no such provider.
   */
  listImages(provider: string, instanceType: string | undefined): Buffer | undefined {
    const images = this.#images.get(provider);
    return (
      images &&
      jsonBytes({
        data: images.filter(({ instanceTypes }) => imageFits(instanceTypes, instanceType)).map(({ image }) => image),
      })
    );
  }

  #start(position: number): number {
    return this.#offsets[position] ?? 0;
  }

  #end(position: number): number {
    return this.#offsets[position + 1] ?? 0;
  }

  #offerBytes(position: number): Buffer {
    return this.#bytes.subarray(this.#start(position), this.#end(position));
  }
}

function jsonBytes(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
