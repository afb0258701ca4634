import type { ListFilter, Offer } from "@gpu-offers/domain";
import type { CatalogAge, RejectedRow } from "../catalog/offer-source.js";
import type { Problem } from "../catalog/problem.js";
import { comparatorOf, type Query } from "../query/query.js";

// Loaded offers, and the progress of loading.

/** Progress of loading. */
export type Load =
  | { kind: "loading"; sinceMs: number }
  | { kind: "ready" }
  | { kind: "failed"; problem: Problem; retryAtMs?: number | undefined };

/** Offers of one catalog, in the order of the query. */
export interface HeldOffers {
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
export function nothingHeld(filter: ListFilter, nowMs: number): HeldOffers {
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
export function beginLoad(held: HeldOffers, filter: ListFilter, nowMs: number): HeldOffers {
  return { ...held, filter, incoming: [], load: { kind: "loading", sinceMs: nowMs } };
}

/** Pages have arrived. A first load shows them at once, and clears earlier problems. */
export function addPages(
  held: HeldOffers,
  pages: { offers: readonly Offer[]; total: number },
  query: Query,
  nowMs: number,
): HeldOffers {
  const incoming = [...held.incoming, ...pages.offers];
  const isFirst = held.asOfMs === undefined;
  return {
    ...held,
    incoming,
    total: isFirst ? pages.total : held.total,
    offers: isFirst ? [...incoming].sort(comparatorOf(query)) : held.offers,
    load: isFirst && held.load.kind === "failed" ? { kind: "loading", sinceMs: nowMs } : held.load,
  };
}

/** The load is complete: its offers replace the previous ones. */
export function finishLoad(
  held: HeldOffers,
  query: Query,
  { nowMs, rejected = [] }: { nowMs: number; rejected?: readonly RejectedRow[] },
): HeldOffers {
  return {
    ...held,
    offers: [...held.incoming].sort(comparatorOf(query)),
    total: held.incoming.length,
    asOfMs: nowMs,
    rejected,
    incoming: [],
    load: { kind: "ready" },
  };
}

/** Whether the offers on the screen may be outdated. */
export function isStale({ load, offers }: HeldOffers): boolean {
  return load.kind === "failed" && offers.length > 0;
}

/** Number of offers loaded so far during the first load; undefined once it is complete. */
export function stillReading({ asOfMs, offers, load }: HeldOffers): number | undefined {
  return asOfMs === undefined && load.kind === "loading" ? offers.length : undefined;
}
