import { httpFetch } from "./http-fetch.js";
import {
  createClient,
  isClientError,
  ServiceError,
  type AllListingsQuery,
  type Client,
  type RestartEvent,
} from "@gpu-offers/client";
import {
  shellWord,
  type Account,
  type Balance,
  type GpuEntry,
  type GpuPrices,
  type ListedOffer,
  type ListingFacts,
  type Offer,
  type OsImage,
  type PriceHistory,
  type Provider,
} from "@gpu-offers/domain";
import { ageOf, type CatalogAge, UNKNOWN_AGE } from "@gpu-offers/list";
import {
  SLOW_AFTER_MS,
  type ImagesOptions,
  type ListPart,
  type OfferSource,
  type PriceRange,
  type RejectedRow,
  type SourceQuery,
} from "./offer-source.js";
import { problemOf, OfferSourceError } from "./offer-source-error.js";

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

/** Offers of a running service. */
export class ServerSource implements OfferSource {
  readonly place: string;
  readonly options: string;
  readonly hasAccount: boolean;
  readonly #client: Client;
  /** Whether the service has listings, as far as known. Older ones only have offers, of which nothing else is known. */
  #hasListings = true;
  readonly #onSlow: (() => void) | undefined;

  constructor({ url, apiKey, retries = 2, timeoutMs, onSlow }: ServerOptions) {
    this.place = url;
    this.options = `--url ${shellWord(url)}`;
    this.hasAccount = apiKey !== undefined;
    this.#onSlow = onSlow;
    this.#client = createClient({ baseUrl: url, apiKey, retries, timeoutMs, fetch: httpFetch });
  }

  async *list(query: SourceQuery, signal?: AbortSignal): AsyncGenerator<ListPart> {
    if (this.#hasListings) {
      try {
        yield* this.#read(this.#client.allListings(listingsQuery(query), { signal }), (page) => {
          const { listings, totalElements: total, understood, excludedBy = {} } = page;
          const words = query.q === undefined ? undefined : { understood, excludedBy };
          return { kind: "page", offers: listings.map(listedOffer), total, words };
        });
        return;
      } catch (error) {
        if (!lacksListings(error)) {
          throw this.#problem(error);
        }
        this.#hasListings = false;
      }
    }
    const { image: _, ...offersQuery } = query;
    try {
      yield* this.#read(this.#client.allOffers(offersQuery, { signal }), ({ offers, totalElements }) => {
        return { kind: "page", offers, total: totalElements };
      });
    } catch (error) {
      throw this.#problem(error);
    }
  }

  async *#read<Page extends { kind: "page" }>(
    events: AsyncGenerator<Page | RestartEvent, void, undefined>,
    partOf: (page: Page) => ListPart,
  ): AsyncGenerator<ListPart> {
    try {
      for (;;) {
        const { done, value: event } = await this.#watched(events.next());
        if (done === true) {
          return;
        }
        yield event.kind === "page" ? partOf(event) : { kind: "restart" };
      }
    } finally {
      await events.return();
    }
  }

  listRejected(): Promise<readonly RejectedRow[]> {
    return Promise.resolve([]);
  }

  async findOffer(id: string, signal?: AbortSignal): Promise<ListedOffer | undefined> {
    const [offer, listed] = await Promise.all([
      this.#find(this.#client.getOffer(id, { signal })),
      this.#findListed(id, signal),
    ]);
    return offer && { ...offer, listing: listed?.listing };
  }

  /** The facts are additional: the offer itself reports what is wrong with the service. */
  async #findListed(id: string, signal: AbortSignal | undefined): Promise<ListedOffer | undefined> {
    try {
      return listedOffer(await this.#client.getListing(id, { signal }));
    } catch (error) {
      signal?.throwIfAborted();
      if (!isClientError(error)) {
        throw error;
      }
      return undefined;
    }
  }

  async findImages(
    provider: string,
    { instanceType, signal }: ImagesOptions = {},
  ): Promise<readonly OsImage[] | undefined> {
    const options = { instanceType: instanceType ?? undefined, signal };
    return (await this.#find(this.#client.listOsImages(provider, options)))?.data;
  }

  async readAge(signal?: AbortSignal): Promise<CatalogAge> {
    const timeout = AbortSignal.timeout(AGE_TIMEOUT_MS);
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

  /** Older services lack this path. They return 404, as for an unknown offer. */
  findHistory(id: string, signal?: AbortSignal): Promise<PriceHistory | undefined> {
    return this.#find(this.#client.getPriceHistory(id, { signal }));
  }

  /** Older services lack this path. */
  async listGpus(signal?: AbortSignal): Promise<readonly GpuEntry[] | undefined> {
    return (await this.#find(this.#client.listGpus({ signal })))?.gpus;
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

  /** Waits for a call including its retries, and reports if it takes long. */
  async #watched<Value>(call: Promise<Value>): Promise<Value> {
    const timer = this.#onSlow === undefined ? undefined : setTimeout(this.#onSlow, SLOW_AFTER_MS);
    try {
      return await call;
    } finally {
      clearTimeout(timer);
    }
  }

  async #find<Value>(call: Promise<Value>): Promise<Value | undefined> {
    try {
      return await this.#watched(call);
    } catch (error) {
      if (error instanceof ServiceError && error.status === 404) {
        return undefined;
      }
      throw this.#problem(error);
    }
  }

  async #get<Value>(call: Promise<Value>): Promise<Value> {
    try {
      return await this.#watched(call);
    } catch (error) {
      throw this.#problem(error);
    }
  }

  #problem(error: unknown): OfferSourceError {
    return new OfferSourceError(problemOf(error, { url: this.place, hasKey: this.hasAccount }));
  }
}

/** The offer of a listing with its facts, without what else a listing has. */
function listedOffer({ offer, ...stated }: ListingFacts & { offer: Offer }): ListedOffer {
  const { instanceType, providerOfferId, seller, verified, reliability, toolNames, egressPerGB, spot } = stated;
  const listing = { instanceType, providerOfferId, seller, verified, reliability, toolNames, egressPerGB, spot };
  return { ...offer, listing };
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

/** The query as one of listings: with all hosts, of which those that aren't verified are left out and counted here. */
function listingsQuery({ gpu, image, ...others }: SourceQuery): AllListingsQuery {
  const { id, os, cuda } = image ?? {};
  return { ...others, verified: "any", gpu: gpu?.map((slug) => `=${slug}`), image: id, os, cuda };
}

/** Whether a service of an older version, or what stands in front of it, doesn't have listings. */
function lacksListings(error: unknown): boolean {
  return (
    isClientError(error) &&
    (error.kind === "response" || (error.kind === "service" && (error.status === 404 || error.status === 405)))
  );
}
