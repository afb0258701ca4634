import { httpFetch } from "./http-fetch.js";
import { createClient, isClientError, ServiceError, type Client, type ListingsEvent } from "@gpu-offers/client";
import {
  atPrice,
  isDoorDefault,
  isListingParameter,
  leftOut,
  LISTING_FILTER_NAMES,
  nearTexts,
  shellWord,
  type Account,
  type Balance,
  type GpuEntry,
  type GpuPrices,
  type LeftOut,
  type ListedOffer,
  type ListingFacts,
  type NearSearch,
  type Offer,
  type OsImage,
  type PriceHistory,
  type Provider,
} from "@gpu-offers/domain";
import { ageOf, type CatalogAge, UNKNOWN_AGE } from "@gpu-offers/list";
import {
  SLOW_AFTER_MS,
  type AgeOptions,
  type ImagesOptions,
  type FindQuery,
  type ListOrder,
  type ListPart,
  type Matches,
  type OfferSource,
  type PriceRange,
  type RejectedRow,
} from "./offer-source.js";
import { problemOf, OfferSourceError } from "./offer-source-error.js";
import { rejectionOf } from "./query-rejection.js";

/** Connection settings of a server. */
export interface ServerOptions {
  url: string;
  apiKey?: string | undefined;
  /** Number of retries. The picker uses 0, because it waits and retries by itself. */
  retries?: number;
  /** Timeout of each attempt in milliseconds; by default the client's. */
  timeoutMs?: number | undefined;
  /** Called if a call has no result after {@link SLOW_AFTER_MS}. The call continues until its timeout. */
  onSlow?: (() => void) | undefined;
}

/** Timeout for ages of prices, which are optional. */
const AGE_TIMEOUT_MS = 2000;

/** Maximum number of near texts that a service is asked for. */
const MAX_NEAR_TEXTS = 6;

/** Offers of a running service. */
export class ServerSource implements OfferSource {
  readonly place: string;
  readonly options: string;
  readonly hasAccount: boolean;
  readonly #client: Client;
  /** The last query, and what was said about its matches. */
  #last: ({ query: FindQuery } & Omit<Matches, "offers">) | undefined;
  readonly #onSlow: (() => void) | undefined;

  constructor({ url, apiKey, retries = 2, timeoutMs, onSlow }: ServerOptions) {
    this.place = url;
    this.options = `--url ${shellWord(url)}`;
    this.hasAccount = apiKey !== undefined;
    this.#onSlow = onSlow;
    this.#client = createClient({ baseUrl: url, apiKey, retries, timeoutMs, fetch: httpFetch });
  }

  async *list(order: ListOrder = {}, signal?: AbortSignal): AsyncGenerator<ListPart> {
    for await (const event of this.#pages({ ...order, verified: "any" }, signal)) {
      yield event.kind === "page"
        ? { kind: "page", offers: event.listings.map(listedOffer), total: event.totalElements }
        : { kind: "restart" };
    }
  }

  async find(query: FindQuery, limit = Number.POSITIVE_INFINITY): Promise<Matches> {
    const spot = query.spot === "false" ? undefined : query.spot;
    let offers: ListedOffer[] = [];
    let said: Omit<Matches, "offers"> = { total: 0, understood: [], excludedBy: {} };
    for await (const event of this.#pages(query)) {
      if (event.kind === "restart") {
        offers = [];
        continue;
      }
      const { listings, totalElements: total, understood, excludedBy = {} } = event;
      offers = offers.concat(listings.map((listing) => atPrice(listedOffer(listing), spot)));
      said = { total, understood, excludedBy };
      if (offers.length >= limit) {
        break;
      }
    }
    this.#last = { query, ...said };
    return { offers: offers.slice(0, limit), ...said };
  }

  async findNear(query: FindQuery, { understood }: Matches): Promise<NearSearch | undefined> {
    const unknown = understood.flatMap(({ text, nearest }) => (nearest === undefined ? [] : [{ text, nearest }]));
    for (const text of nearTexts(query.q ?? "", unknown).slice(0, MAX_NEAR_TEXTS)) {
      const count = await this.#count({ ...query, q: text });
      if (count > 0) {
        return { text, count };
      }
    }
    return undefined;
  }

  async countLeftOut(): Promise<readonly LeftOut[]> {
    if (this.#last === undefined) {
      return [];
    }
    const { query, total, excludedBy } = this.#last;
    const counts = LISTING_FILTER_NAMES.filter((name) => isDoorDefault(name, query)).map(async (name) => {
      const count = total === 0 ? excludedBy[name] : (await this.#count({ ...query, [name]: undefined })) - total;
      return [name, count ?? 0] as const;
    });
    return leftOut(query, new Map(await Promise.all(counts)));
  }

  async #count(query: FindQuery): Promise<number> {
    return (await this.#get(this.#client.listListings({ ...query, page: 0, size: 1 }))).totalElements;
  }

  async *#pages(query: FindQuery, signal?: AbortSignal): AsyncGenerator<ListingsEvent, void, undefined> {
    const events = this.#client.allListings(query, { signal });
    try {
      for (;;) {
        const { done, value: event } = await this.#get(events.next());
        if (done === true) {
          return;
        }
        yield event;
      }
    } finally {
      await events.return();
    }
  }

  listRejected(): Promise<readonly RejectedRow[]> {
    return Promise.resolve([]);
  }

  async findOffer(id: string, signal?: AbortSignal): Promise<ListedOffer | undefined> {
    const listing = await this.#find(this.#client.getListing(id, { signal }));
    return listing && listedOffer(listing);
  }

  async findImages(provider: string, options: ImagesOptions = {}): Promise<readonly OsImage[] | undefined> {
    const instanceType = options.instanceType ?? undefined;
    return (await this.#find(this.#client.listOsImages(provider, { ...options, instanceType })))?.data;
  }

  async readAge({ signal, timeoutMs = AGE_TIMEOUT_MS }: AgeOptions = {}): Promise<CatalogAge> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return ageOf(await this.#client.listSources({ signal: signal ? AbortSignal.any([signal, timeout]) : timeout }));
    } catch (error) {
      signal?.throwIfAborted();
      if (timeout.aborted || isClientError(error)) {
        return UNKNOWN_AGE;
      }
      throw error;
    }
  }

  findHistory(id: string, signal?: AbortSignal): Promise<PriceHistory | undefined> {
    return this.#find(this.#client.getPriceHistory(id, { signal }));
  }

  async listGpus(signal?: AbortSignal): Promise<readonly GpuEntry[]> {
    return (await this.#get(this.#client.listGpus({ signal }))).gpus;
  }

  findGpuPrices(name: string, range: PriceRange, signal?: AbortSignal): Promise<GpuPrices | undefined> {
    return this.#find(this.#client.getGpuPrices(name, { ...range, signal }));
  }

  async listProviders(signal?: AbortSignal): Promise<readonly Provider[]> {
    return (await this.#get(this.#client.listProviders({ signal }))).data;
  }

  getAccount(signal?: AbortSignal): Promise<Account> {
    return this.#get(this.#client.getAccount({ signal }));
  }

  getBalance(signal?: AbortSignal): Promise<Balance> {
    return this.#get(this.#client.getBalance({ signal }));
  }

  async #find<Value>(call: Promise<Value>): Promise<Value | undefined> {
    const found = call.catch((error: unknown) => {
      if (error instanceof ServiceError && error.status === 404) {
        return undefined;
      }
      throw error;
    });
    return this.#get(found);
  }

  /** Waits for a call including its retries, and reports if it takes long. */
  async #get<Value>(call: Promise<Value>): Promise<Value> {
    const timer = this.#onSlow && setTimeout(this.#onSlow, SLOW_AFTER_MS);
    try {
      return await call;
    } catch (error) {
      throw this.#problem(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What to throw for an error of the client. A query that the service rejects is a failure of its flags. */
  #problem(error: unknown): Error {
    const names = error instanceof ServiceError && error.code === "invalid_parameter" ? error.details : [];
    const problems = names.flatMap(({ name, reason }) =>
      isListingParameter(name) ? [{ parameter: name, reason }] : [],
    );
    if (problems.length > 0) {
      return rejectionOf(problems);
    }
    return new OfferSourceError(problemOf(error, { url: this.place, hasKey: this.hasAccount }));
  }
}

/** The offer of a listing with its facts, without what else a listing has. */
function listedOffer({ offer, ...stated }: ListingFacts & { offer: Offer }): ListedOffer {
  const { instanceType, providerOfferId, seller, verified, reliability, toolNames, egressPerGB, spot } = stated;
  const { storage, isCostComplete, converted, availability, stockLevel, stock14d, sample } = stated;
  const host = { seller, verified, reliability };
  const cost = { egressPerGB, spot, storage, isCostComplete, converted };
  return {
    ...offer,
    listing: { instanceType, providerOfferId, ...host, toolNames, ...cost, availability, stockLevel, stock14d, sample },
  };
}

/** Longer than a service on this machine needs; another program there may never respond. */
const PROBE_TIMEOUT_MS = 1000;

/** Whether a gpu-offers service responds there. Another program doesn't count, whatever it responds. */
export async function isServiceAt(url: string): Promise<boolean> {
  try {
    const client = createClient({ baseUrl: url, retries: 0, timeoutMs: PROBE_TIMEOUT_MS, fetch: httpFetch });
    await client.listProviders();
    return true;
  } catch (error) {
    if (!isClientError(error)) {
      throw error;
    }
    return error.kind === "service" && error.status !== 404;
  }
}
