import {
  availabilityOf,
  compareOsImages,
  ListingColumnsBuilder,
  MarketParts,
  memoized,
  present,
  storageOf,
  type ListingFacts,
  type Offer,
} from "@gpu-offers/domain";
import { type StockSum } from "@gpu-offers/domain/history";
import { OfferIndexBuilder } from "@gpu-offers/domain/paging";
import { staleCheck, type StalePart, servedBody } from "@gpu-offers/store/staleness";
import { readCatalog } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { listGone } from "@gpu-offers/store/gone-offers";
import { readFacts, type StoredOffer } from "@gpu-offers/store/offer-row";
import { readStock, type RememberedStock } from "@gpu-offers/store/remembered-stock";
import { LRUCache } from "lru-cache";
import { prepareListings, type SnapshotParts } from "./snapshot.js";
import { TextColumnBuilder } from "./text-column.js";

/** Maximum number of bytes that offsets can address. */
const MAX_BYTES = 2 ** 32 - 1;

/** Initial estimate of an offer's JSON in bytes; the buffer grows when it is too small. */
const BYTES_AN_OFFER = 640;

/** Number of texts that are kept, because most offers state what others do. */
const KEPT_TEXTS = 10_000;

/**
 * Reads the current catalog and builds the parts of a snapshot. Undefined if the database has no catalog yet.
 * @param stale parts that weren't confirmed for too long: the availability of their offers is unknown.
 */
export function loadSnapshotParts(
  database: Database,
  stale: readonly StalePart[] = [],
  prepare = prepareListings,
): Promise<SnapshotParts | undefined> {
  return readCatalog(database, async (head, offers, snapshot) => {
    const names = head.providers.map(({ name }) => name);
    const stock = await readStock(snapshot);
    const gone = await listGone(snapshot, Date.now());
    const stockOf = (id: string) => stock?.ofOffer(id) ?? null;
    const written = await writeOffers(head.offerCount, names, offers, gone, staleCheck(stale), stockOf, prepare);
    for (const provider of head.providers) {
      provider.images.sort(compareOsImages);
    }
    return { revision: head.revision, providers: head.providers, ...written, stock: stockParts(stock) };
  });
}

/**
 * Writes the offers, and builds their indexes and market: all that takes longer than a request may.
 * @param gone offers that are sold out, which only listings have, after the others.
 */
async function writeOffers(
  count: number,
  providers: readonly string[],
  offers: AsyncIterable<StoredOffer>,
  gone: readonly StoredOffer[],
  isStale: (provider: string, scope: string | null) => boolean,
  stockOf: (id: string) => StockSum | null,
  prepare: typeof prepareListings,
): Promise<Pick<SnapshotParts, "bytes" | "offsets" | "owners" | "index" | "market" | "listings" | "gone">> {
  const positionOf = new Map(providers.map((name, position) => [name, position]));
  const owners = new Uint16Array(count);
  const encoder = new TextEncoder();
  const size = count + gone.length;
  const offsets = new Uint32Array(size + 1);
  const index = new OfferIndexBuilder();
  const market = new MarketParts();
  const columns = new ListingColumnsBuilder();
  const facts = new TextColumnBuilder();
  const texts = new LRUCache<string, string>({ max: KEPT_TEXTS });
  const stale = new Uint8Array(size);
  let written = 0;
  let bytes = new Uint8Array(size * BYTES_AN_OFFER);
  let end = 0;
  const add = (offer: StoredOffer, isGone: boolean): void => {
    const body = servedBody(offer, isGone ? () => true : isStale);
    // A UTF-16 unit takes at most 3 bytes in UTF-8.
    const needed = end + body.length * 3;
    if (needed > bytes.length) {
      bytes = new Uint8Array(bytes.buffer.transfer(Math.max(needed, Math.ceil(bytes.length * 1.5))));
    }
    end += encoder.encodeInto(body, bytes.subarray(end)).written;
    const parsed = JSON.parse(body) as Offer;
    const isOld = isStale(offer.provider, offer.scope);
    const stated = servedFacts(offer, parsed, { isOld, isGone }, stockOf(offer.id));
    const listing = { ...stated, offer: parsed, isStale: isOld };
    if (!isGone) {
      index.add(parsed);
      market.add(listing);
      owners[written] = present(positionOf.get(offer.provider));
    }
    columns.add(listing);
    const { availability, stock14d, storage } = stated;
    const key = JSON.stringify([offer.listing, availability, stock14d, storage]);
    facts.add(memoized(texts, key, () => membersOf(stated)));
    stale[written] = isOld ? 1 : 0;
    offsets[++written] = end;
  };
  for await (const offer of offers) {
    add(offer, false);
  }
  for (const offer of gone) {
    add(offer, true);
  }
  if (end > MAX_BYTES) {
    throw new RangeError(`The catalog has ${end} bytes; one service serves at most ${MAX_BYTES}.`);
  }
  const goneIds = gone.map(({ id }) => id);
  const listings = columns.build(index.idWords(goneIds));
  // First, because another thread may do it meanwhile.
  const prepared = prepare(listings);
  const { buffers: _, ...built } = index.build();
  // The unwritten rest of the buffer takes no memory.
  return {
    bytes: bytes.subarray(0, end),
    offsets,
    owners,
    index: built,
    market: market.build(),
    gone: goneIds,
    listings: {
      columns: listings,
      prepared,
      facts: facts.build(),
      stale,
    },
  };
}

/** What its source states beyond an offer. Stock that wasn't confirmed for too long is unknown. */
function servedFacts(
  stored: StoredOffer,
  offer: Offer,
  { isOld, isGone }: { isOld: boolean; isGone: boolean },
  stock14d: ListingFacts["stock14d"],
): ListingFacts {
  const facts = readFacts(stored);
  const availability = isGone ? "sold_out" : isOld ? "unknown" : availabilityOf({ ...facts, offer });
  return { ...facts, availability, stock14d, storage: facts.storage ?? storageOf(offer) };
}

/** Facts without the braces, for the JSON of a listing. */
function membersOf({ storage, ...others }: ListingFacts): string {
  return JSON.stringify({ ...others, storage }).slice(1, -1);
}

function stockParts(stock: RememberedStock | undefined): SnapshotParts["stock"] {
  const bySlug = Map.groupBy(stock?.gpus ?? [], ({ gpu }) => gpu);
  const encode = (rows: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(rows).slice(1, -1));
  const lists = Array.from(bySlug, ([slug, rows]) => [slug, encode(rows)] as const);
  return { asOf: stock?.asOf ?? null, gpus: new Map(lists) };
}
