import { MAX_PAGE_SIZE, pageCounts, type ListingList, type OfferList } from "@gpu-offers/domain";
import { eitherSignal, wait } from "./abort.js";
import type { HttpResponse, CallOptions } from "./connection.js";
import { CatalogChangedError, ResponseError, throwProblems } from "./errors.js";
import { wholeNumberProblem } from "./options.js";
import type { ListingsQuery, OffersQuery } from "./queries.js";
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

/** The items of one kind of list. */
export interface PagedList<List extends Page> {
  /** The ids of a page's items. */
  idsOf: (list: List) => string[];
  /** The page with the items for which `keeps` is true, by their number on the page. */
  keeping: (list: List, keeps: (item: unknown, index: number) => boolean) => List;
}

/** The pages of `GET /api/v1/offers`. */
export const OFFER_PAGES: PagedList<OfferList> = {
  idsOf: ({ offers }) => offers.map(({ id }) => id),
  keeping: (list, keeps) => ({ ...list, offers: list.offers.filter(keeps) }),
};

/** The pages of `GET /api/v2/listings`. */
export const LISTING_PAGES: PagedList<ListingList> = {
  idsOf: ({ listings }) => listings.map(({ offer }) => offer.id),
  keeping: (list, keeps) => ({ ...list, listings: list.listings.filter(keeps) }),
};

/** Requests a page of {@link MAX_PAGE_SIZE} items. */
type ReadPage<List> = (page: number, signal: AbortSignal) => Promise<HttpResponse<List>>;

type PageOf<List> = List & { kind: "page" };

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
  readPage: ReadPage<List>,
  { signal, concurrency = DEFAULT_CONCURRENCY, maxOffers = DEFAULT_MAX_OFFERS }: AllOffersOptions,
): AsyncGenerator<PageOf<List> | RestartEvent, void, undefined> {
  const problems = {
    concurrency: wholeNumberProblem(concurrency, 1, MAX_CONCURRENCY),
    maxOffers: Number.isSafeInteger(maxOffers) && maxOffers > 0 ? undefined : "must be a whole number of at least 1",
  };
  throwProblems("option", problems);
  return untilWhole(() => onePass(list, readPage, { signal, concurrency, maxOffers }), signal);
}

async function* untilWhole<Event>(
  readOnce: () => AsyncGenerator<Event, boolean>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Event | RestartEvent, void, undefined> {
  for (let restarts = 0; !(yield* readOnce()); restarts++) {
    if (restarts === MAX_RESTARTS) {
      throw new CatalogChangedError(restarts);
    }
    yield { kind: "restart", restarts: restarts + 1 };
    await wait(backoffMs(restarts), signal);
  }
}

/** Yields the pages of one catalog. Returns whether it reached the end. */
async function* onePass<List extends Page>(
  list: PagedList<List>,
  readPage: ReadPage<List>,
  { signal, concurrency, maxOffers }: { signal: AbortSignal | undefined; concurrency: number; maxOffers: number },
): AsyncGenerator<PageOf<List>, boolean> {
  const seen = new Set<string>();
  const abort = new AbortController();
  const either = eitherSignal(abort, signal);
  try {
    const first = await readPage(0, either);
    const { totalElements, totalPages } = first.value;
    // The other totals are the same, so the list is finite.
    if (totalElements > maxOffers) {
      const problem = `claims ${totalElements} offers, more than the maximum of ${maxOffers}`;
      throw new ResponseError(problem, { url: first.url, status: 200 });
    }
    yield toEvent(list, first, 0, seen);
    const rest = inOrder(1, totalPages, concurrency, (page) => readPage(page, either));
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
    abort.abort();
  }
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

/**
 * The page without items whose ids are duplicates on this or an earlier page.
 * @throws ResponseError for contradictory counts, because offers could be skipped or read twice.
 */
function toEvent<List extends Page>(
  { idsOf, keeping }: PagedList<List>,
  { url, value }: HttpResponse<List>,
  page: number,
  seen: Set<string>,
): PageOf<List> {
  const { totalPages, totalElements, hasMore } = value;
  const ids = idsOf(value);
  const expected = pageCounts(totalElements, { page, size: MAX_PAGE_SIZE });
  const isLast = page + 1 >= expected.totalPages;
  const expectedOffers = isLast ? Math.max(0, totalElements - page * MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
  if (
    value.page !== page ||
    totalPages !== expected.totalPages ||
    hasMore !== expected.hasMore ||
    ids.length !== expectedOffers
  ) {
    throw new ResponseError(
      `contradicts itself: page ${value.page} of ${totalPages} has ${ids.length} of ${totalElements} offers, hasMore ${hasMore}`,
      { url, status: 200 },
    );
  }
  const isNew = ids.map((id) => seen.size < seen.add(id).size);
  return { kind: "page", ...(isNew.includes(false) ? keeping(value, (_, index) => isNew[index] === true) : value) };
}
