import { memoized } from "@gpu-offers/domain";
import {
  gpuStock,
  readStockChanges,
  STOCK_DAYS,
  stockCoverage,
  stockSpans,
  stockSum,
  type GpuStockList,
  type StockCoverage,
  type StockSpan,
  type StockSum,
} from "@gpu-offers/domain/history";
import { findBound, type Database } from "./database.js";
import type { Tables } from "./tables.js";

// What the memory of stock says: how often each machine was to be had, as of the last observation.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Interval of a source that was never enabled here. */
const USUAL_INTERVAL_MS = HOUR_MS;

/** When the stock of each provider was observed. */
export interface StockObservations {
  /** The last observation of all, ISO 8601 UTC. */
  asOf: string;
  coverageOf: (provider: string, scope: string | null) => StockCoverage;
}

/**
 * The observations that know stock, since a time in milliseconds since 1970 (by default in the last {@link STOCK_DAYS}), of
 * one provider or all; undefined if there are none.
 */
export async function readStockObservations(
  database: Database,
  { sinceMs, provider }: { sinceMs?: number; provider?: string } = {},
): Promise<StockObservations | undefined> {
  const asOf = await findBound(database.selectFrom("observation").where("knows_stock", "=", 1), "max", "at");
  if (asOf === undefined) {
    return undefined;
  }
  const untilMs = Date.parse(asOf);
  // A day more, because an observation holds for some time.
  const since = new Date((sinceMs ?? untilMs - STOCK_DAYS * DAY_MS) - DAY_MS).toISOString();
  const rows = await database
    .selectFrom("observation")
    .leftJoin("live_source", "live_source.name", "observation.source")
    .where("knows_stock", "=", 1)
    .where("at", ">=", since)
    .$if(provider !== undefined, (query) => query.where("provider", "=", provider ?? ""))
    .orderBy("at")
    .select(["provider", "scope", "at", "interval_seconds"])
    .execute();
  const byProvider = Map.groupBy(rows, (row) => row.provider);
  const made = new Map<string, StockCoverage>();
  const coverageOf = (name: string, scope: string | null): StockCoverage =>
    memoized(made, JSON.stringify([name, scope]), () => coverageIn(byProvider.get(name) ?? [], scope, untilMs));
  return { asOf, coverageOf };
}

function coverageIn(
  rows: readonly { scope: string | null; at: string; interval_seconds: number | null }[],
  scope: string | null,
  untilMs: number,
): StockCoverage {
  const own = rows.filter((row) => row.scope === null || row.scope === scope);
  const seconds = own.at(-1)?.interval_seconds;
  const intervalMs = seconds == null ? USUAL_INTERVAL_MS : seconds * 1_000;
  const timesMs = own.map(({ at }) => Date.parse(at));
  return stockCoverage(timesMs, intervalMs, untilMs);
}

export interface RememberedStock extends StockObservations {
  /** The offers of which anything is remembered. */
  ids: Iterable<string>;
  /** How often an offer was in stock in the last {@link STOCK_DAYS}; null if that wasn't observed. */
  ofOffer: (id: string) => StockSum | null;
  /** The same of each GPU by provider, size and region. */
  gpus: GpuStockList["stock"];
}

/** Everything that is remembered, as of the last observation that knows stock; undefined if there is none. */
export async function readStock(database: Database): Promise<RememberedStock | undefined> {
  const observed = await readStockObservations(database);
  if (observed === undefined) {
    return undefined;
  }
  const untilMs = Date.parse(observed.asOf);
  const rows = await database.selectFrom("offer_stock").selectAll().execute();
  const offers = new Map(rows.map((row) => [row.offer_id, row]));
  // Most offers of a provider have the same changes.
  const sums = new Map<string, StockSum | null>();
  const ofOffer = (id: string): StockSum | null => {
    const row = offers.get(id);
    return row === undefined
      ? null
      : memoized(sums, JSON.stringify([row.provider, row.scope, row.changes]), () => memoryOf(observed, row).sum);
  };
  const sorted = await database
    .selectFrom("gpu_stock")
    .selectAll()
    .orderBy("gpu_slug")
    .orderBy("provider")
    .orderBy("gpu_count")
    .orderBy("region")
    .execute();
  const gpus = sorted.flatMap(({ gpu_slug: gpu, provider, gpu_count: gpuCount, region, scope, ...row }) => {
    const stock = gpuStock({ ...row, foldedTo: row.folded_to }, observed.coverageOf(provider, scope), untilMs);
    return stock === null ? [] : [{ gpu, provider, gpuCount, region, ...stock }];
  });
  return { ...observed, ids: offers.keys(), ofOffer, gpus };
}

export interface OfferStockMemory {
  /** The last observation that knows stock, ISO 8601 UTC. */
  asOf: string;
  /** How often it was in stock in the last {@link STOCK_DAYS}; null if that wasn't observed. */
  sum: StockSum | null;
  /** The observed spans since a time in milliseconds since 1970, at most {@link STOCK_DAYS} ago. */
  spansSince: (sinceMs?: number) => StockSpan[];
}

function memoryOf(
  { asOf, coverageOf }: StockObservations,
  { provider, scope, changes: text }: Pick<Tables["offer_stock"], "provider" | "scope" | "changes">,
): OfferStockMemory {
  const [changes, coverage] = [readStockChanges(text), coverageOf(provider, scope)];
  const untilMs = Date.parse(asOf);
  const earliestMs = untilMs - STOCK_DAYS * DAY_MS;
  const spansSince = (sinceMs = earliestMs): StockSpan[] =>
    stockSpans(changes, coverage, { fromMs: Math.max(sinceMs, earliestMs), untilMs });
  return { asOf, sum: stockSum(changes, spansSince(), coverage), spansSince };
}

/** What is remembered of single offers. */
export class OfferStockStore {
  constructor(private readonly database: Database) {}

  /** What is remembered of an offer; undefined if no observation knows stock. */
  async find(id: string, provider: string): Promise<OfferStockMemory | undefined> {
    const observed = await readStockObservations(this.database, { provider });
    const row = await this.database.selectFrom("offer_stock").where("offer_id", "=", id).selectAll().executeTakeFirst();
    return observed && memoryOf(observed, { scope: null, changes: "", ...row, provider });
  }
}
