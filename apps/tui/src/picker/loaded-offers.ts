import type { ListFilter, Offer } from "@gpu-offers/domain";
import type { CatalogAge, Query } from "@gpu-offers/list";
import { arranged } from "../catalog/arranged.js";
import type { RejectedRow } from "../catalog/offer-source.js";
import type { Problem } from "../catalog/problem.js";

// Loaded offers, and the progress of loading.

/** Progress of loading. */
export type Load =
  | { kind: "loading"; sinceMs: number }
  | { kind: "ready" }
  | { kind: "failed"; problem: Problem; retryAtMs?: number | undefined };

/** Offers of one catalog, in the order of the query. */
export interface LoadedOffers {
  offers: readonly Offer[];
  /** Filters of the latest load, which may still be in progress. */
  filter: ListFilter;
  /** Total number of matches, from the server. */
  total: number | undefined;
  /** When the last offers arrived, in milliseconds since 1970; undefined if none did. */
  asOfMs: number | undefined;
  /** Age of their prices, if known. */
  age: CatalogAge | undefined;
  /** Rejected rows of a catalog file. */
  rejected: readonly RejectedRow[];
  /** Pages of a load in progress, which replaces the offers once complete. */
  incoming: readonly Offer[];
  load: Load;
}

/** The initial state: no offers, first load in progress. */
export function nothingLoaded(filter: ListFilter, nowMs: number): LoadedOffers {
  return {
    offers: [],
    filter,
    total: undefined,
    asOfMs: undefined,
    age: undefined,
    rejected: [],
    incoming: [],
    load: { kind: "loading", sinceMs: nowMs },
  };
}

/** A load begins. Current offers stay until it is complete. */
export function beginLoad(loaded: LoadedOffers, filter: ListFilter, nowMs: number): LoadedOffers {
  return { ...loaded, filter, incoming: [], load: { kind: "loading", sinceMs: nowMs } };
}

/** Pages have arrived. A first load shows them at once, and clears earlier problems. */
export function addPages(
  loaded: LoadedOffers,
  pages: { offers: readonly Offer[]; total: number },
  query: Query,
  nowMs: number,
): LoadedOffers {
  const incoming = [...loaded.incoming, ...pages.offers];
  const isFirst = loaded.asOfMs === undefined;
  return {
    ...loaded,
    incoming,
    total: isFirst ? pages.total : loaded.total,
    offers: isFirst ? arranged(incoming, query) : loaded.offers,
    load: isFirst && loaded.load.kind === "failed" ? { kind: "loading", sinceMs: nowMs } : loaded.load,
  };
}

/** The load is complete: its offers replace the previous ones. */
export function finishLoad(
  loaded: LoadedOffers,
  query: Query,
  { nowMs, rejected = [] }: { nowMs: number; rejected?: readonly RejectedRow[] },
): LoadedOffers {
  return {
    ...loaded,
    offers: arranged(loaded.incoming, query),
    total: loaded.incoming.length,
    asOfMs: nowMs,
    rejected,
    incoming: [],
    load: { kind: "ready" },
  };
}

/** Whether the offers on the screen may be outdated. */
export function isStale({ load, offers }: LoadedOffers): boolean {
  return load.kind === "failed" && offers.length > 0;
}

/** Number of offers loaded so far during the first load; undefined once it is complete. */
export function loadedSoFar({ asOfMs, offers, load }: LoadedOffers): number | undefined {
  return asOfMs === undefined && load.kind === "loading" ? offers.length : undefined;
}
