import type {
  Account,
  Balance,
  GpuEntry,
  LeftOut,
  GpuPrices,
  ListedOffer,
  ListingQuery,
  NearSearch,
  OsImage,
  PriceHistory,
  Provider,
  Understood,
} from "@gpu-offers/domain";
import type { GpuPricesOptions } from "@gpu-offers/client";
import type { CatalogAge } from "@gpu-offers/list";
import type { RejectionItem } from "@gpu-offers/sources";

/** Milliseconds after which a server probably hangs. Users see a message within 5 s. */
export const SLOW_AFTER_MS = 4000;

/** The matches of a query, in order and at the prices of the query. */
export interface Matches {
  offers: readonly ListedOffer[];
  total: number;
  /** What names and words were taken for, and unknown words. */
  understood: readonly Understood[];
  /** If nothing matches: how many would match without each parameter. */
  excludedBy: Readonly<Partial<Record<string, number>>>;
}

/** A part of all offers, or a notice that the catalog changed and previous parts are void. */
export type ListPart = { kind: "page"; offers: readonly ListedOffer[]; total: number } | { kind: "restart" };

export type FindQuery = Omit<ListingQuery, "page" | "size">;

export type ListOrder = Pick<ListingQuery, "sort_by" | "sort_order">;

/** A rejected row of a catalog file. */
export type RejectedRow = Pick<RejectionItem, "where" | "reason"> & { code: string };

export type SourceProgress =
  | { source: string; kind: "fetching" }
  /** Its prices were fetched now, or are recent enough. */
  | { source: string; kind: "fetched" | "current"; offers: number }
  | { source: string; kind: "failed"; reason: string };

/** Fetching current prices without a server. */
export interface LiveFetching {
  /** Fetches the prices of all sources that need no key; later lists contain them. Sources that fail are progress. */
  fetch: (onProgress: (progress: SourceProgress) => void, signal?: AbortSignal) => Promise<void>;
  /** Fetches the prices of one provider, however recent the kept ones are. */
  refetch: (provider: string) => Promise<SourceProgress>;
}

/** Start and end (ISO 8601), and step of prices over time. */
export type PriceRange = Omit<GpuPricesOptions, "signal">;

/** Source of offers: a server, or a file. All methods reject with a {@link OfferSourceError}. */
export interface OfferSource {
  /** URL or file name, for display. */
  place: string;
  /** Options of the command line that name it, ready to paste. */
  options: string;
  hasAccount: boolean;
  /** Fetches current prices; undefined if a server or a file has its own. */
  live?: LiveFetching;
  /** All offers at their own prices, in parts. Also those of hosts that aren't verified. */
  list(order?: ListOrder, signal?: AbortSignal): AsyncIterable<ListPart>;
  /** The first `limit` matches of a query, by default all. @throws Failure if the query can't be right. */
  find(query: FindQuery, limit?: number): Promise<Matches>;
  /** The nearest text with matches for the words of a query without any; undefined if there is none. */
  findNear(query: FindQuery, matches: Matches): Promise<NearSearch | undefined>;
  /** What the defaults of doors left out of the last query's matches. */
  countLeftOut(): Promise<readonly LeftOut[]>;
  /** Rejected rows of the last list; a server has none. */
  listRejected(): Promise<readonly RejectedRow[]>;
  /** The current offer with an id or its start; undefined if it is gone. @throws OfferSourceError if several ids begin so. */
  findOffer(id: string, signal?: AbortSignal): Promise<ListedOffer | undefined>;
  /**
   * Images of a provider, the default one first; undefined if there is no such provider. With an instance type, those that
   * it can boot; null if it is unknown.
   */
  findImages(
    provider: string,
    options?: { instanceType?: string | null | undefined; signal?: AbortSignal | undefined },
  ): Promise<readonly OsImage[] | undefined>;
  /** The age of prices. Never rejects because of the source, and by default takes 2 s at most: what can't be read is unknown. */
  readAge(options?: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined }): Promise<CatalogAge>;
  /** The price history of an offer; undefined if the source has none. */
  findHistory(id: string, signal?: AbortSignal): Promise<PriceHistory | undefined>;
  /** All GPUs that are known or listed. Without a server they follow from the offers. */
  listGpus?(signal?: AbortSignal): Promise<readonly GpuEntry[]>;
  /** The prices of a GPU or a family over time; undefined if the service has none. Only servers have a history. */
  findGpuPrices?(name: string, range: PriceRange, signal?: AbortSignal): Promise<GpuPrices | undefined>;
  listProviders(signal?: AbortSignal): Promise<readonly Provider[]>;
  getAccount(signal?: AbortSignal): Promise<Account>;
  getBalance(signal?: AbortSignal): Promise<Balance>;
}
