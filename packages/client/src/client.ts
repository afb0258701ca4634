import {
  accountSchema,
  balanceSchema,
  listOsImagesQuerySchema,
  MAX_PAGE_SIZE,
  offerListSchema,
  offerSchema,
  osImageListSchema,
  priceHistoryQuerySchema,
  priceHistorySchema,
  providerListSchema,
  sourceListSchema,
  type Account,
  type Balance,
  type Offer,
  type OfferList,
  type OsImageList,
  type PriceHistory,
  type ProviderList,
  type SourceList,
} from "@gpu-offers/domain";
import { checkedSearch } from "./checked-search.js";
import { Connection, type CallOptions } from "./connection.js";
import { ArgumentError } from "./errors.js";
import { offersSearch, type OffersQuery } from "./offers-query.js";
import { operationPath, type OperationName } from "./operations.js";
import { readOptions, type ClientOptions } from "./options.js";
import { readPages, type AllOffersOptions, type AllOffersQuery, type OffersEvent } from "./pages.js";

/** How to list OS images. */
export interface OsImagesOptions extends CallOptions {
  /** Only images that can be used on this instance type, in the provider's own words. */
  readonly instanceType?: string | undefined;
}

/**
 * A client of one service, made by {@link createClient}. Each operation of the interface is one method.
 *
 * Every method rejects with an ArgumentError before anything is sent, or with a ServiceError,
 * ConnectionError, TimeoutError or ResponseError once the retries are used up, or with the reason of its
 * signal. What it gives is the caller's to keep and to change.
 */
export class Client implements Record<OperationName, (...parameters: never[]) => Promise<unknown>> {
  readonly #connection: Connection;
  readonly #options: ClientOptions;

  /** See {@link createClient}. */
  constructor(options: ClientOptions) {
    this.#options = { ...options };
    this.#connection = new Connection(readOptions(options));
  }

  /**
   * A client with other defaults: the options that are given replace this client's, which stays as it is. An option
   * that is given as undefined has its default again. Another `baseUrl` drops the API key, unless one is given with it.
   * @throws ArgumentError as {@link createClient} does.
   */
  extend(options: Partial<ClientOptions>): Client {
    const { apiKey, ...others } = this.#options;
    return new Client({ ...others, ...("baseUrl" in options ? {} : { apiKey }), ...options });
  }

  /** One page of the offers that match. Prices are USD an hour, sizes GB. `GET /api/v1/offers` */
  async listOffers(query: OffersQuery = {}, options: CallOptions = {}): Promise<OfferList> {
    const target = operationPath("listOffers", {}) + offersSearch(query);
    return (await this.#connection.get(target, offerListSchema, options)).value;
  }

  /** An offer by its id; a ServiceError `not_found` when there is none. `GET /api/v1/offers/{id}` */
  async getOffer(id: string, options: CallOptions = {}): Promise<Offer> {
    return (await this.#connection.get(operationPath("getOffer", { id }), offerSchema, options)).value;
  }

  /** All providers, by name, as `data`. `GET /api/v1/providers` */
  async listProviders(options: CallOptions = {}): Promise<ProviderList> {
    return (await this.#connection.get(operationPath("listProviders", {}), providerListSchema, options)).value;
  }

  /**
   * Images of a provider, as `data`, the default one first; a ServiceError `not_found` when there is no such
   * provider. The service may hold the list for an hour. `GET /api/v1/providers/{provider}/images`
   * @param provider `name` of a provider, or of an offer's `provider`.
   */
  async listOsImages(provider: string, options: OsImagesOptions = {}): Promise<OsImageList> {
    const { instanceType } = options;
    const query = instanceType === undefined ? {} : { instance_type: instanceType };
    const search = checkedSearch(listOsImagesQuerySchema, query);
    const target = operationPath("listOsImages", { provider }) + search;
    return (await this.#connection.get(target, osImageListSchema, options)).value;
  }

  /** Where the offers come from, and when their prices were last confirmed. `GET /sources` */
  async listSources(options: CallOptions = {}): Promise<SourceList> {
    return (await this.#connection.get(operationPath("listSources", {}), sourceListSchema, options)).value;
  }

  /**
   * How the price of an offer moved; a ServiceError `not_found` if the service never had the offer. `GET /history`
   * @param offer the id of an offer, which may be gone by now.
   */
  async getPriceHistory(offer: string, options: CallOptions = {}): Promise<PriceHistory> {
    const target = operationPath("getPriceHistory", {}) + checkedSearch(priceHistoryQuerySchema, { offer });
    return (await this.#connection.get(target, priceHistorySchema, options)).value;
  }

  /** The account of the API key; a ServiceError `unauthorized` without a valid one. `GET /api/v1/account` */
  async getAccount(options: CallOptions = {}): Promise<Account> {
    return (await this.#connection.get(operationPath("getAccount", {}), accountSchema, options)).value;
  }

  /**
   * The credit of the API key's account in USD, a decimal text with 4 places; a ServiceError `unauthorized`
   * without a valid key. `GET /api/v1/account/balance`
   */
  async getBalance(options: CallOptions = {}): Promise<Balance> {
    return (await this.#connection.get(operationPath("getBalance", {}), balanceSchema, options)).value;
  }

  /**
   * All offers that match, page by page (100 each, several asked for at a time), in order. The event
   * `restart` says that the catalog has changed: drop every page before it. What came since the last
   * restart is of one catalog, and all of it when the iterator ends.
   * @throws ArgumentError at once for a wrong query or concurrency. While reading, what the other methods
   * reject with, and CatalogChangedError after 8 restarts.
   */
  allOffers(query: AllOffersQuery = {}, options: AllOffersOptions = {}): AsyncGenerator<OffersEvent, void, undefined> {
    rejectPaging(query);
    const targetOf = (page: number): string =>
      operationPath("listOffers", {}) + offersSearch({ ...query, page, size: MAX_PAGE_SIZE });
    targetOf(0);
    return readPages((page, signal) => this.#connection.get(targetOf(page), offerListSchema, { signal }), options);
  }
}

/**
 * Makes a client of the service at `baseUrl`. It sends nothing yet.
 * @throws ArgumentError that names every invalid option.
 */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

/** Types do not stop a wider object from bringing a page, and a page that is silently dropped would surprise. */
function rejectPaging(query: OffersQuery): void {
  const given = (["page", "size"] as const).filter((name) => query[name] !== undefined);
  if (given.length > 0) {
    throw new ArgumentError(
      given.map((name) => ({ in: "query", name, reason: "must be left out where all pages are read" })),
    );
  }
}
