import type { ListedOffer, ListingCatalog, KnownImages } from "@gpu-offers/domain";
import type { CatalogAge } from "@gpu-offers/list";
import { listingCatalogOf } from "../catalog/listing-catalog.js";
import type { RejectedRow } from "../catalog/offer-source.js";
import type { Problem } from "../catalog/offer-source-error.js";

// Loaded offers, and the progress of loading.

export type Load =
  | { kind: "loading"; sinceMs: number }
  | { kind: "ready" }
  | { kind: "failed"; problem: Problem; retryAtMs?: number | undefined };

export interface LoadedOffers {
  /** The offers at their own prices. */
  offers: readonly ListedOffer[];
  /** The index over them, with the images that are known. */
  catalog: ListingCatalog;
  /** Number of offers that the source has; undefined if it didn't say yet. */
  total: number | undefined;
  /** When the last offers arrived, in milliseconds since 1970; undefined if none did. */
  asOfMs: number | undefined;
  /** Age of their prices, if known. */
  age: CatalogAge | undefined;
  /** Rejected rows of a catalog file. */
  rejected: readonly RejectedRow[];
  /** Pages of a load in progress, which replaces the offers once complete. */
  incoming: readonly ListedOffer[];
  load: Load;
}

/** The initial state: no offers, first load in progress. */
export function nothingLoaded(images: KnownImages, nowMs: number): LoadedOffers {
  return {
    offers: [],
    catalog: listingCatalogOf([], images),
    total: undefined,
    asOfMs: undefined,
    age: undefined,
    rejected: [],
    incoming: [],
    load: { kind: "loading", sinceMs: nowMs },
  };
}

/** Pages have arrived. A first load shows them at once, and clears earlier problems. */
export function addPages(
  loaded: LoadedOffers,
  pages: { offers: readonly ListedOffer[]; total: number },
  nowMs: number,
): LoadedOffers {
  const incoming = [...loaded.incoming, ...pages.offers];
  if (loaded.asOfMs !== undefined) {
    return { ...loaded, incoming };
  }
  return {
    ...loaded,
    incoming,
    total: pages.total,
    ...indexed(incoming, loaded),
    load: loaded.load.kind === "failed" ? { kind: "loading", sinceMs: nowMs } : loaded.load,
  };
}

/** The load is complete: its offers replace the previous ones. */
export function finishLoad(
  loaded: LoadedOffers,
  { nowMs, rejected = [] }: { nowMs: number; rejected?: readonly RejectedRow[] },
): LoadedOffers {
  const { incoming, offers, asOfMs } = loaded;
  const isShown = asOfMs === undefined && incoming.length === offers.length;
  return {
    ...loaded,
    ...(isShown ? {} : indexed(incoming, loaded)),
    total: incoming.length,
    asOfMs: nowMs,
    rejected,
    incoming: [],
    load: { kind: "ready" },
  };
}

function indexed(offers: readonly ListedOffer[], { catalog }: LoadedOffers): Pick<LoadedOffers, "offers" | "catalog"> {
  return { offers, catalog: listingCatalogOf(offers, catalog.names.images) };
}

/** Number of offers loaded so far during the first load; undefined once it is complete. */
export function loadedSoFar({ asOfMs, offers, load }: LoadedOffers): number | undefined {
  return asOfMs === undefined && load.kind === "loading" ? offers.length : undefined;
}
