import type { ListFilter, Offer } from "@gpu-offers/domain";
import type { CatalogAge, RejectedRow } from "../catalog/offer-source.js";
import type { Problem } from "../catalog/problem.js";
import { comparatorOf, type Query } from "../query/query.js";

// The offers that are here already, and how the loading of them goes.

/** How loading goes. */
export type Load =
  | { kind: "loading"; sinceMs: number }
  | { kind: "ready" }
  | { kind: "failed"; problem: Problem; retryAtMs?: number | undefined };

/** Offers of one catalog, in the order of the request. */
export interface HeldOffers {
  offers: readonly Offer[];
  /** The filters of the last load: those that are here, or will be when it is whole, match them. */
  filter: ListFilter;
  /** How many match the filter, as the server says. */
  total: number | undefined;
  /** When the last of them came, in milliseconds since 1970; undefined while none did. */
  asOfMs: number | undefined;
  /** How old their prices are, where their source says so. */
  age: CatalogAge | undefined;
  /** Rows of a catalog file that are no offers. */
  rejected: readonly RejectedRow[];
  /** Pages of a load under way that replaces the offers when it is whole. */
  incoming: readonly Offer[];
  load: Load;
}

/** Nothing yet, and about to load. */
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

/** A load begins: what is here stays until the new offers are whole. */
export function beginLoad(held: HeldOffers, filter: ListFilter, nowMs: number): HeldOffers {
  return { ...held, filter, incoming: [], load: { kind: "loading", sinceMs: nowMs } };
}

/** Some pages have come. A first load shows them at once, and what went wrong before them is over. */
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

/** The load is whole: its offers take the place of those before. */
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

/** Whether what is on the screen may have changed on the server without a chance to see it. */
export function isStale({ load, offers }: HeldOffers): boolean {
  return load.kind === "failed" && offers.length > 0;
}

/** How many offers of a first list have come, while more are under way; undefined once the list is whole. */
export function stillReading({ asOfMs, offers, load }: HeldOffers): number | undefined {
  return asOfMs === undefined && load.kind === "loading" ? offers.length : undefined;
}
