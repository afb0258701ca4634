import type { Account, Balance, Offer, OsImage, PriceHistory, Provider } from "@gpu-offers/domain";
import type { ServerQuery } from "../query/query.js";

/** A part of a list, or word that the parts before it are void since the catalog changed. */
export type ListPart = { kind: "page"; offers: readonly Offer[]; total: number } | { kind: "restart" };

/** How old prices are, as far as their source says. */
export interface CatalogAge {
  /** Date or time of a provider's prices (ISO 8601, UTC) by its name; providers whose date is unknown are missing. */
  pricesAsOf: ReadonlyMap<string, string>;
  /** Providers whose prices are older than they should be. */
  staleProviders: readonly string[];
}

/** The age of prices of which nothing is known. */
export const UNKNOWN_AGE: CatalogAge = { pricesAsOf: new Map(), staleProviders: [] };

/** When the oldest prices were current, in milliseconds since 1970; undefined if no date is known. */
export function oldestPricesMs({ pricesAsOf }: CatalogAge): number | undefined {
  const times = [...pricesAsOf.values()].map((date) => Date.parse(date)).filter((ms) => !Number.isNaN(ms));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A row of a catalog file that became no offer. */
export interface RejectedRow {
  /** Its place in the file, such as `line 17`. */
  where: string;
  /** Why, for programs. */
  code: string;
  /** Why, in a sentence. */
  reason: string;
}

/** Where offers come from: a server, or a file. Every method rejects with a {@link SourceProblem}. */
export interface OfferSource {
  /** Address or file, for people. */
  readonly place: string;
  /** Options of the command line that name it, ready to paste. */
  readonly options: string;
  /** Whether there is an account to ask for. */
  readonly hasAccount: boolean;
  /** All offers that match, in order, in parts. */
  list(query: ServerQuery, signal?: AbortSignal): AsyncIterable<ListPart>;
  /** Rows of a file that the last list left out; a server has none. */
  listRejected(): Promise<readonly RejectedRow[]>;
  /** The offer as it is now; undefined when it is gone. */
  findOffer(id: string, signal?: AbortSignal): Promise<Offer | undefined>;
  /** Images of a provider, the default one first; undefined when there is no such provider. */
  findImages(provider: string, signal?: AbortSignal): Promise<readonly OsImage[] | undefined>;
  /** How old prices are. Never rejects because of the source, and never takes long: what it cannot read is unknown. */
  readAge(signal?: AbortSignal): Promise<CatalogAge>;
  /** How the price of an offer moved; undefined where the source does not say. */
  findHistory(id: string, signal?: AbortSignal): Promise<PriceHistory | undefined>;
  listProviders(signal?: AbortSignal): Promise<readonly Provider[]>;
  getAccount(signal?: AbortSignal): Promise<Account>;
  getBalance(signal?: AbortSignal): Promise<Balance>;
}
