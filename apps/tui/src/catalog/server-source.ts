import { httpFetch } from "./http-fetch.js";
import { createClient, isClientError, ServiceError, type Client } from "@gpu-offers/client";
import {
  MAX_PAGE_SIZE,
  shellWord,
  type Account,
  type Balance,
  type GpuEntry,
  type GpuPrices,
  type ListingFacts,
  type Offer,
  type OsImage,
  type PriceHistory,
  type Provider,
} from "@gpu-offers/domain";
import { ageOf, type CatalogAge, type ServerQuery, UNKNOWN_AGE } from "@gpu-offers/list";
import type { ListPart, OfferSource, PriceRange, RejectedRow } from "./offer-source.js";
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

/** Milliseconds after which a server probably hangs. Users see a message within 5 s. */
export const SLOW_AFTER_MS = 4000;

/** Timeout for ages of prices, which are optional. */
const AGE_TIMEOUT_MS = 2000;

/** Offers of a running service. */
export class ServerSource implements OfferSource {
  readonly place: string;
  readonly options: string;
  readonly hasAccount: boolean;
  readonly #client: Client;
  readonly #facts = new Map<string, ListingFacts>();
  readonly #onSlow: (() => void) | undefined;

  constructor({ url, apiKey, retries = 2, timeoutMs, onSlow }: ServerOptions) {
    this.place = url;
    this.options = `--url ${shellWord(url)}`;
    this.hasAccount = apiKey !== undefined;
    this.#onSlow = onSlow;
    this.#client = createClient({ baseUrl: url, apiKey, retries, timeoutMs, fetch: httpFetch });
  }

  async *list(query: ServerQuery, signal?: AbortSignal): AsyncGenerator<ListPart> {
    const events = this.#client.allOffers(query, { signal });
    try {
      for (;;) {
        const { done, value: event } = await this.#watched(events.next());
        if (done === true) {
          return;
        }
        yield event.kind === "page"
          ? { kind: "page", offers: event.offers, total: event.totalElements }
          : { kind: "restart" };
      }
    } catch (error) {
      throw this.#problem(error);
    } finally {
      await events.return();
    }
  }

  listRejected(): Promise<readonly RejectedRow[]> {
    return Promise.resolve([]);
  }

  async findOffer(id: string, signal?: AbortSignal): Promise<Offer | undefined> {
    const [offer] = await Promise.all([
      this.#find(this.#client.getOffer(id, { signal })),
      this.#readFactsOf(id, signal),
    ]);
    return offer;
  }

  /** What the source states about all offers, in pages. Older services have no listings; then nothing is known. */
  async readFacts(signal?: AbortSignal): Promise<void> {
    await this.#optional(signal, async () => {
      for (let page = 0, hasMore = true; hasMore; page++) {
        const list = await this.#client.listListings({ verified: "any", size: MAX_PAGE_SIZE, page }, { signal });
        list.listings.forEach((listing) => this.#keepFacts(listing));
        ({ hasMore } = list);
      }
    });
  }

  async #readFactsOf(id: string, signal: AbortSignal | undefined): Promise<void> {
    await this.#optional(signal, async () => this.#keepFacts(await this.#client.getListing(id, { signal })));
  }

  #keepFacts({ offer, ...stated }: ListingFacts & { offer: Offer }): void {
    const { instanceType, providerOfferId, seller, verified, reliability, toolNames, egressPerGB, spot } = stated;
    const facts = { instanceType, providerOfferId, seller, verified, reliability, toolNames, egressPerGB, spot };
    this.#facts.set(offer.id, facts);
  }

  /** Reads facts, which are additional: the offers themselves report what is wrong with the service. */
  async #optional(signal: AbortSignal | undefined, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isClientError(error)) {
        throw error;
      }
    }
  }

  /** Known once the offer was read by itself, or all facts. */
  factsOf(id: string): ListingFacts | undefined {
    return this.#facts.get(id);
  }

  async findImages(provider: string, signal?: AbortSignal): Promise<readonly OsImage[] | undefined> {
    return (await this.#find(this.#client.listOsImages(provider, { signal })))?.data;
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
