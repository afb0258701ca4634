import { MAX_PAGE_SIZE, pageCounts, type OfferList } from "@gpu-offers/domain";
import { FollowingAbort, wait } from "./abort.js";
import type { HttpResponse, CallOptions } from "./connection.js";
import { ResponseError, ArgumentError, CatalogChangedError } from "./errors.js";
import type { OffersQuery } from "./offers-query.js";
import { backoffMs } from "./retry.js";

// All pages of a list, in order, of one catalog. Pages are asked for ahead of the reader. When one of them
// turns out to be of another catalog than the first, what was read is void, and reading starts over.

/** What to list over all pages. */
export type AllOffersQuery = Omit<OffersQuery, "page" | "size">;

/** How to read all pages. */
export interface AllOffersOptions extends CallOptions {
  /** Pages that are asked for at the same time, 1 to 16; default 4. */
  readonly concurrency?: number | undefined;
  /** Maximum number of offers of a list, from 1; a service that claims more is not read. Default 1,000,000. */
  readonly maxOffers?: number | undefined;
}

/** The next page, as the service responded it. */
export interface PageEvent extends OfferList {
  readonly kind: "page";
}

/** The catalog changed: every page so far is void, and the next event is the first page of the new catalog. */
export interface RestartEvent {
  readonly kind: "restart";
  /** How often reading has started over. */
  readonly restarts: number;
}

/** What reading all pages yields: pages from 0 in order, and word that they start again from 0. */
export type OffersEvent = PageEvent | RestartEvent;

/** Asks for one page of {@link MAX_PAGE_SIZE} offers. */
export type ReadPage = (page: number, signal: AbortSignal) => Promise<HttpResponse<OfferList>>;

const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 16;
const DEFAULT_MAX_OFFERS = 1_000_000;

/** Services on one database notice a new catalog within seconds of each other: so long may responses alternate. */
const MAX_RESTARTS = 8;

/**
 * Reads all pages. The pages since the last restart are of one catalog, always; when the iterator ends,
 * they are all of it. Leaving it early ends the requests that are under way.
 * An offer whose id came before is left out: its page then has fewer offers than the counts say.
 * @throws ArgumentError at once for an invalid concurrency or maximum. While reading: what reading a page throws;
 * ResponseError for a page that contradicts its own counts, and for a list of more than `maxOffers`;
 * CatalogChangedError after 8 restarts.
 */
export function readPages(readPage: ReadPage, options: AllOffersOptions): AsyncGenerator<OffersEvent, void, undefined> {
  const { signal, concurrency = DEFAULT_CONCURRENCY, maxOffers = DEFAULT_MAX_OFFERS } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    const reason = `must be a whole number from 1 to ${MAX_CONCURRENCY}`;
    throw new ArgumentError([{ in: "option", name: "concurrency", reason }]);
  }
  if (!Number.isSafeInteger(maxOffers) || maxOffers < 1) {
    throw new ArgumentError([{ in: "option", name: "maxOffers", reason: "must be a whole number from 1" }]);
  }
  return untilWhole(readPage, { signal, concurrency, maxOffers });
}

interface Reading {
  signal: AbortSignal | undefined;
  concurrency: number;
  maxOffers: number;
}

async function* untilWhole(readPage: ReadPage, reading: Reading): AsyncGenerator<OffersEvent, void, undefined> {
  for (let restarts = 0; !(yield* onePass(readPage, reading)); restarts++) {
    if (restarts === MAX_RESTARTS) {
      throw new CatalogChangedError(restarts);
    }
    yield { kind: "restart", restarts: restarts + 1 };
    await wait(backoffMs(restarts), reading.signal);
  }
}

/** Yields the pages of one catalog; returns whether it got to the end of it. */
async function* onePass(readPage: ReadPage, reading: Reading): AsyncGenerator<PageEvent, boolean> {
  const { signal, concurrency, maxOffers } = reading;
  const seen = new Set<string>();
  const abort = new FollowingAbort(signal);
  try {
    const first = await readPage(0, abort.signal);
    checkTotal(first, maxOffers);
    yield withoutRepeated(toEvent(first, 0), seen);
    const rest = inOrder(1, first.value.totalPages, concurrency, (page) => readPage(page, abort.signal));
    for await (const [page, response] of rest) {
      if (!isOfSameCatalog(first, response)) {
        return false;
      }
      // Pages that are here already must not be handed out after an abort.
      signal?.throwIfAborted();
      yield withoutRepeated(toEvent(response, page), seen);
    }
    return true;
  } finally {
    abort.release();
    abort.abort();
  }
}

/** The first page tells how many there are, and no page may claim others: so the list ends. */
function checkTotal({ url, value }: HttpResponse<OfferList>, maxOffers: number): void {
  if (value.totalElements > maxOffers) {
    throw new ResponseError(`claims ${value.totalElements} offers, more than the maximum of ${maxOffers}`, {
      url,
      status: 200,
    });
  }
}

/** The page without offers whose ids came before, on it or on a page before it. */
function withoutRepeated(event: PageEvent, seen: Set<string>): PageEvent {
  const before = seen.size;
  const offers = event.offers.filter(({ id }) => seen.size < seen.add(id).size);
  return seen.size - before === event.offers.length ? event : { ...event, offers };
}

/** Results of numbered work in its order, begun for at most `concurrency` numbers ahead. */
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
      // A failure is met when its turn comes, or never, if the reader leaves before.
      work.catch(() => undefined);
      begun.push(work);
    }
    const next = begun.shift();
    if (next !== undefined) {
      yield [index, await next];
    }
  }
}

function isOfSameCatalog(first: HttpResponse<OfferList>, other: HttpResponse<OfferList>): boolean {
  return first.value.totalElements === other.value.totalElements && revisionOf(first.etag) === revisionOf(other.etag);
}

/**
 * The catalog that a response is made of, out of its tag: `"<revision>-<mark>-<version>"`, the same for all pages.
 * Another service may tag each page by itself; its tags tell nothing here, and its totals have to do.
 */
function revisionOf(etag: string | undefined): string | undefined {
  // A cache on the way may make a strong tag a weak one.
  return etag?.match(/^(?:W\/)?("\d+-[0-9a-f]+-[^"]+")$/)?.[1];
}

/** A page whose counts do not fit each other would make offers be skipped, or read twice. */
function toEvent({ url, value }: HttpResponse<OfferList>, page: number): PageEvent {
  const expected = pageCounts(value.totalElements, { page, size: MAX_PAGE_SIZE });
  const isLast = page + 1 >= expected.totalPages;
  const expectedOffers = isLast ? Math.max(0, value.totalElements - page * MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
  if (
    value.page !== page ||
    value.totalPages !== expected.totalPages ||
    value.hasMore !== expected.hasMore ||
    value.offers.length !== expectedOffers
  ) {
    const { totalPages, totalElements, offers } = value;
    throw new ResponseError(
      `contradicts itself: page ${value.page} of ${totalPages} has ${offers.length} of ${totalElements} offers, hasMore ${value.hasMore}`,
      { url, status: 200 },
    );
  }
  return { kind: "page", ...value };
}
