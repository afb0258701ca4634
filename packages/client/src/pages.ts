import { MAX_PAGE_SIZE, pageCounts, type ListingList, type OfferList } from "@gpu-offers/domain";
import { FollowingAbort, wait } from "./abort.js";
import type { HttpResponse, CallOptions } from "./connection.js";
import { ResponseError, ArgumentError, CatalogChangedError } from "./errors.js";
import type { ListingsQuery } from "./listings-query.js";
import type { OffersQuery } from "./offers-query.js";
import { backoffMs } from "./retry.js";

// Reads all pages of a list, in order, from one catalog. Pages are requested ahead of the reader. If a page is of another
// catalog than the first, previous pages are void, and reading starts over.

/** What to list over all pages. */
export type AllOffersQuery = Omit<OffersQuery, "page" | "size">;

/** What to list of listings over all pages. */
export type AllListingsQuery = Omit<ListingsQuery, "page" | "size">;

/** Options of reading all pages. */
export interface AllOffersOptions extends CallOptions {
  /** Number of concurrent page requests, from 1 to 16; default: 4. */
  concurrency?: number | undefined;
  /** Maximum number of offers, from 1; a list with more is an error. Default: 1,000,000. */
  maxOffers?: number | undefined;
}

/** The next page, unmodified. */
export interface PageEvent extends OfferList {
  kind: "page";
}

/** The catalog changed: every page so far is void, and the next event is the first page of the new catalog. */
export interface RestartEvent {
  kind: "restart";
  /** Number of restarts. */
  restarts: number;
}

/** Events of reading all pages: pages in order from 0, and restarts from 0. */
export type OffersEvent = PageEvent | RestartEvent;

/** The next page of listings, unmodified. */
export interface ListingsPageEvent extends ListingList {
  kind: "page";
}

/** Events of reading all pages of listings. */
export type ListingsEvent = ListingsPageEvent | RestartEvent;

/** What is the same in all lists. */
type Page = Pick<OfferList, "page" | "totalPages" | "totalElements" | "hasMore">;

/** How the pages of one kind of list are read. */
export interface PagedList<List extends Page> {
  /** Requests a page of {@link MAX_PAGE_SIZE} items. */
  readPage: (page: number, signal: AbortSignal) => Promise<HttpResponse<List>>;
  /** The ids of a page's items. */
  idsOf: (list: List) => string[];
  /** The page with the items for which `keeps` is true, by their number on the page. */
  keeping: (list: List, keeps: (index: number) => boolean) => List;
}

/** The pages of `GET /api/v1/offers`. */
export function offerPages(readPage: PagedList<OfferList>["readPage"]): PagedList<OfferList> {
  return {
    readPage,
    idsOf: ({ offers }) => offers.map(({ id }) => id),
    keeping: (list, keeps) => ({ ...list, offers: list.offers.filter((_, index) => keeps(index)) }),
  };
}

/** The pages of `GET /api/v2/listings`. */
export function listingPages(readPage: PagedList<ListingList>["readPage"]): PagedList<ListingList> {
  return {
    readPage,
    idsOf: ({ listings }) => listings.map(({ offer }) => offer.id),
    keeping: (list, keeps) => ({ ...list, listings: list.listings.filter((_, index) => keeps(index)) }),
  };
}

type Event<List> = (List & { kind: "page" }) | RestartEvent;

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 16;
const DEFAULT_MAX_OFFERS = 1_000_000;

/** Maximum number of restarts: responses may alternate for seconds, until all services on one database notice a new catalog. */
const MAX_RESTARTS = 8;

/**
 * Reads all pages. The pages since the last restart are always of one catalog; when the iterator ends, they are
 * complete. Leaving the loop early aborts requests in progress.
 * Items with duplicate ids are dropped, so a page may have fewer than its counts say.
 * @throws ArgumentError at once for an invalid concurrency or maximum. While reading: what reading a page throws;
 * ResponseError for a page that contradicts its own counts, and for a list of more than `maxOffers`;
 * CatalogChangedError after 8 restarts.
 */
export function readPages<List extends Page>(
  list: PagedList<List>,
  options: AllOffersOptions,
): AsyncGenerator<Event<List>, void, undefined> {
  const { signal, concurrency = DEFAULT_CONCURRENCY, maxOffers = DEFAULT_MAX_OFFERS } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    const reason = `must be a whole number from 1 to ${MAX_CONCURRENCY}`;
    throw new ArgumentError([{ in: "option", name: "concurrency", reason }]);
  }
  if (!Number.isSafeInteger(maxOffers) || maxOffers < 1) {
    throw new ArgumentError([{ in: "option", name: "maxOffers", reason: "must be a whole number of at least 1" }]);
  }
  return untilWhole(list, { signal, concurrency, maxOffers });
}

interface Reading {
  signal: AbortSignal | undefined;
  concurrency: number;
  maxOffers: number;
}

async function* untilWhole<List extends Page>(
  list: PagedList<List>,
  reading: Reading,
): AsyncGenerator<Event<List>, void, undefined> {
  for (let restarts = 0; !(yield* onePass(list, reading)); restarts++) {
    if (restarts === MAX_RESTARTS) {
      throw new CatalogChangedError(restarts);
    }
    yield { kind: "restart", restarts: restarts + 1 };
    await wait(backoffMs(restarts), reading.signal);
  }
}

/** Yields the pages of one catalog. Returns whether it reached the end. */
async function* onePass<List extends Page>(
  list: PagedList<List>,
  reading: Reading,
): AsyncGenerator<List & { kind: "page" }, boolean> {
  const { readPage } = list;
  const { signal, concurrency, maxOffers } = reading;
  const seen = new Set<string>();
  const abort = new FollowingAbort(signal);
  try {
    const first = await readPage(0, abort.signal);
    checkTotal(first, maxOffers);
    yield toEvent(list, first, 0, seen);
    const rest = inOrder(1, first.value.totalPages, concurrency, (page) => readPage(page, abort.signal));
    for await (const [page, response] of rest) {
      if (!isOfSameCatalog(first, response)) {
        return false;
      }
      // Loaded pages must not be yielded after an abort.
      signal?.throwIfAborted();
      yield toEvent(list, response, page, seen);
    }
    return true;
  } finally {
    abort.release();
    abort.abort();
  }
}

/** Checks the total against the first page's, so that the list is finite. */
function checkTotal({ url, value }: HttpResponse<Page>, maxOffers: number): void {
  if (value.totalElements > maxOffers) {
    throw new ResponseError(`claims ${value.totalElements} offers, more than the maximum of ${maxOffers}`, {
      url,
      status: 200,
    });
  }
}

/** The page without items whose ids are duplicates on this or an earlier page. */
function withoutRepeated<List extends Page>(
  { keeping }: PagedList<List>,
  page: List,
  ids: readonly string[],
  seen: Set<string>,
): List {
  const isNew = ids.map((id) => seen.size < seen.add(id).size);
  return isNew.includes(false) ? keeping(page, (index) => isNew[index] === true) : page;
}

/** Yields results of numbered work in order, started for up to `concurrency` numbers ahead. */
async function* inOrder<Result>(
  start: number,
  end: number,
  concurrency: number,
  begin: (index: number) => Promise<Result>,
): AsyncGenerator<[number, Result], void> {
  const begun: Promise<Result>[] = [];
  for (let index = start; index < end; index++) {
    while (begun.length < concurrency && index + begun.length < end) {
      const work = begin(index + begun.length);
      // A failure is thrown in its turn, or never if the reader leaves before.
      work.catch(() => undefined);
      begun.push(work);
    }
    const next = begun.shift();
    if (next !== undefined) {
      yield [index, await next];
    }
  }
}

function isOfSameCatalog(first: HttpResponse<Page>, other: HttpResponse<Page>): boolean {
  return first.value.totalElements === other.value.totalElements && revisionOf(first.etag) === revisionOf(other.etag);
}

/**
 * Identifies the catalog of a response by its tag, `"<revision>-<mark>-<version>"`, which all pages share. In tags of
 * listings, the age of the prices follows a tilde; it changes what pages say, but not what is on them. Other services may
 * tag pages individually; then only totals are compared.
 */
function revisionOf(etag: string | undefined): string | undefined {
  // Caches may turn a strong tag into a weak one.
  return etag?.match(/^(?:W\/)?("\d+-[0-9a-f]+-[^"~]+)(?:~[^"]*)?"$/)?.[1];
}

/** Rejects a page with contradictory counts, because offers could be skipped or read twice. */
function toEvent<List extends Page>(
  list: PagedList<List>,
  { url, value }: HttpResponse<List>,
  page: number,
  seen: Set<string>,
): List & { kind: "page" } {
  const ids = list.idsOf(value);
  const expected = pageCounts(value.totalElements, { page, size: MAX_PAGE_SIZE });
  const isLast = page + 1 >= expected.totalPages;
  const expectedOffers = isLast ? Math.max(0, value.totalElements - page * MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
  if (
    value.page !== page ||
    value.totalPages !== expected.totalPages ||
    value.hasMore !== expected.hasMore ||
    ids.length !== expectedOffers
  ) {
    const { totalPages, totalElements } = value;
    throw new ResponseError(
      `contradicts itself: page ${value.page} of ${totalPages} has ${ids.length} of ${totalElements} offers, hasMore ${value.hasMore}`,
      { url, status: 200 },
    );
  }
  return { kind: "page", ...withoutRepeated(list, value, ids, seen) };
}
