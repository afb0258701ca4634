import { createClient, isClientError, ServiceError, type Client } from "@gpu-offers/client";
import type { Account, Balance, Offer, OsImage, PriceHistory, Provider, SourceList } from "@gpu-offers/domain";
import type { ServerQuery } from "../query/query.js";
import { shellWord } from "../text/shell-word.js";
import { UNKNOWN_AGE, type CatalogAge, type ListPart, type OfferSource, type RejectedRow } from "./offer-source.js";
import { problemOf, SourceProblem } from "./source-problem.js";

/** How a server is reached. */
export interface ServerOptions {
  url: string;
  apiKey?: string | undefined;
  /** How often a call is tried again; the picker waits in its own way and shows it. */
  retries?: number;
  /** Milliseconds that each attempt has; default is the client's. */
  timeoutMs?: number | undefined;
  /** Called when a call has no result for {@link HUNG_AFTER_MS}; it goes on until its time is over. */
  onHung?: (() => void) | undefined;
}

/** A server that has not responded after so long is likely to hang; people are told within 5 s. */
export const HUNG_AFTER_MS = 4000;

/** Ages of prices are worth a short wait only: a choice is made without them. */
const AGE_TIMEOUT_MS = 2000;

/** The first source of a provider is the one that its offers are of. */
function ageOf({ sources }: SourceList): CatalogAge {
  const pricesAsOf = new Map<string, string>();
  const staleProviders = new Set<string>();
  for (const { providers, pricesAsOf: date, state, offers } of sources) {
    for (const provider of offers === 0 ? [] : providers) {
      if (date !== null && !pricesAsOf.has(provider)) {
        pricesAsOf.set(provider, date);
      }
      if (state === "stale") {
        staleProviders.add(provider);
      }
    }
  }
  return { pricesAsOf, staleProviders: [...staleProviders] };
}

/** Offers of a running service. */
export class ServerSource implements OfferSource {
  readonly place: string;
  readonly options: string;
  readonly hasAccount: boolean;
  readonly #client: Client;
  readonly #onHung: (() => void) | undefined;

  constructor({ url, apiKey, retries = 2, timeoutMs, onHung }: ServerOptions) {
    this.place = url;
    this.options = `--url ${shellWord(url)}`;
    this.hasAccount = apiKey !== undefined;
    this.#onHung = onHung;
    this.#client = createClient({ baseUrl: url, apiKey, retries, timeoutMs });
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

  findOffer(id: string, signal?: AbortSignal): Promise<Offer | undefined> {
    return this.#find(this.#client.getOffer(id, { signal }));
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

  /** Services before this operation have no such path, which is 404 like an unknown offer. */
  findHistory(id: string, signal?: AbortSignal): Promise<PriceHistory | undefined> {
    return this.#find(this.#client.getPriceHistory(id, { signal }));
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

  /** Waits for a call; reports when it takes long, its retries included. */
  async #watched<Value>(call: Promise<Value>): Promise<Value> {
    const timer = this.#onHung === undefined ? undefined : setTimeout(this.#onHung, HUNG_AFTER_MS);
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

  #problem(error: unknown): SourceProblem {
    return new SourceProblem(problemOf(error, { url: this.place, hasKey: this.hasAccount }));
  }
}
