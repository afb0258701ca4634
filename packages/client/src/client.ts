import {
  accountSchema,
  balanceSchema,
  launchPlanSchema,
  launchQuerySchema,
  listingDetailsSchema,
  listingListSchema,
  listOffersQuerySchema,
  listOsImagesQuerySchema,
  MAX_PAGE_SIZE,
  offerListSchema,
  offerSchema,
  osImageListSchema,
  providerListSchema,
  queryPlanSchema,
  sourceListSchema,
  type Account,
  type Balance,
  type GpuEntry,
  type GpuList,
  type GpuPrices,
  type LaunchPlan,
  type ListingDetails,
  type ListingList,
  type SeriesStep,
  type Offer,
  type OfferList,
  type OsImageList,
  type PriceHistory,
  type QueryPlan,
  type ProviderList,
  type SourceList,
} from "@gpu-offers/domain";
import { gpuEntrySchema, gpuListSchema, gpuPricesQuerySchema, gpuPricesSchema } from "@gpu-offers/domain/gpus";
import {
  gpuStockSchema,
  listingStockQuerySchema,
  listingStockSchema,
  type GpuStockList,
  type ListingStock,
} from "@gpu-offers/domain/history";
import { priceHistoryQuerySchema, priceHistorySchema } from "@gpu-offers/domain/history";
import { planQuerySchema } from "@gpu-offers/domain/query";
import type * as z from "zod";
import { Connection, type CallOptions } from "./connection.js";
import { throwProblems } from "./errors.js";
import { operationPath, type OperationName, type OperationParameters } from "./operations.js";
import { readOptions, type ClientOptions } from "./options.js";
import {
  LISTING_PAGES,
  OFFER_PAGES,
  readPages,
  type AllListingsQuery,
  type AllOffersOptions,
  type AllOffersQuery,
  type ListingsEvent,
  type OffersEvent,
} from "./pages.js";
import { checkedSearch, listingsSearch, type ListingsQuery, type OffersQuery, type PlanQuery } from "./queries.js";

/** Options of listing OS images. */
export interface OsImagesOptions extends CallOptions {
  /** Only images available for this instance type, by the provider's name of it. */
  instanceType?: string | undefined;
}

/** What is chosen of a listing to launch. */
export interface LaunchOptions extends CallOptions {
  /** Minimum disk in GB; default: the included disk, else 100 GB or the nearest size. */
  diskGb?: number | undefined;
  /** A model for whose weights the default disk has room: `70b@8`. */
  fits?: string | undefined;
  /** Id of an OS image; default: the provider's default. */
  osImageId?: string | undefined;
  /** Hours to estimate the cost for. */
  hours?: number | undefined;
  /** Whether to launch with spot terms. */
  isSpot?: boolean | undefined;
  /** How far the price may rise before the texts no longer rent, in percent; default: 5. */
  ceiling?: number | undefined;
  /** Number of machines; default: 1. */
  nodes?: number | undefined;
  /** SkyPilot and dstack take the first of this number of offers of its GPU and count; default: 1. */
  top?: number | undefined;
}

/** Range of the stock of a listing. */
export interface ListingStockOptions extends CallOptions {
  /** Start: a date or a time, ISO 8601 UTC; by default 14 days ago. */
  since?: string | undefined;
  /** Length of a step; by default an hour. */
  step?: "hour" | "day" | undefined;
}

/** Range of the prices of a GPU over time. */
export interface GpuPricesOptions extends CallOptions {
  /** Start: an ISO 8601 date or time in UTC; default: 90 days ago. */
  since?: string | undefined;
  /** End: an ISO 8601 date or time in UTC; default: now. */
  until?: string | undefined;
  /** Distance of the points; default: day. */
  step?: SeriesStep | undefined;
}

/**
 * A client of a service, created by {@link createClient}. Each operation of the interface is a method.
 *
 * Methods reject with an ArgumentError before anything is sent, with a ServiceError, ConnectionError, TimeoutError or
 * ResponseError once all retries have failed, or with the reason of the signal. Callers may modify returned values.
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
   * Creates a client with other defaults. The given options replace those of this client, which is unchanged. An option
   * set to undefined is reset to its default. A new `baseUrl` drops the API key, unless one is given with it.
   * @throws ArgumentError like {@link createClient}.
   */
  extend(options: Partial<ClientOptions>): Client {
    const { apiKey, ...others } = this.#options;
    return new Client({ ...others, ...("baseUrl" in options ? {} : { apiKey }), ...options });
  }

  /** Returns a page of matching offers. Prices are in USD per hour, sizes in GB. `GET /api/v1/offers` */
  async listOffers(query: OffersQuery = {}, options: CallOptions = {}): Promise<OfferList> {
    return this.#get("listOffers", {}, offerListSchema, options, checkedSearch(listOffersQuerySchema, query));
  }

  /** Returns an offer by id. Rejects with a ServiceError `not_found` if there is none. `GET /api/v1/offers/{id}` */
  async getOffer(id: string, options: CallOptions = {}): Promise<Offer> {
    return this.#get("getOffer", { id }, offerSchema, options);
  }

  /** Returns all providers, sorted by name, in `data`. `GET /api/v1/providers` */
  async listProviders(options: CallOptions = {}): Promise<ProviderList> {
    return this.#get("listProviders", {}, providerListSchema, options);
  }

  /**
   * Returns a provider's images in `data`, the default one first. Rejects with a ServiceError `not_found` if there is no
   * such provider. Results may be cached for an hour. `GET /api/v1/providers/{provider}/images`
   * @param provider `name` of a provider, or of an offer's `provider`.
   */
  async listOsImages(provider: string, options: OsImagesOptions = {}): Promise<OsImageList> {
    const search = checkedSearch(listOsImagesQuerySchema, { instance_type: options.instanceType });
    return this.#get("listOsImages", { provider }, osImageListSchema, options, search);
  }

  /**
   * Returns a page of matching listings: offers with what to rent, who sells it, spot prices and the age of the price.
   * Available ones come first. Quantities may have units (`1TB`, `$2`). `GET /api/v2/listings`
   */
  async listListings(query: ListingsQuery = {}, options: CallOptions = {}): Promise<ListingList> {
    return this.#get("listListings", {}, listingListSchema, options, listingsSearch(query));
  }

  /** Returns a listing by its offer's id, with the images that it can boot. `GET /api/v2/listings/{id}` */
  async getListing(id: string, options: CallOptions = {}): Promise<ListingDetails> {
    return this.#get("getListing", { id }, listingDetailsSchema, options);
  }

  /** Returns what to paste to launch a listing, or the problems of the choice. `GET /api/v2/listings/{id}/launch` */
  async getLaunchPlan(id: string, options: LaunchOptions = {}): Promise<LaunchPlan> {
    const { diskGb: disk, fits, osImageId: os_image_id, hours, isSpot, ceiling, nodes, top } = options;
    const query = { disk, fits, os_image_id, hours, spot: isSpot?.toString(), ceiling, nodes, top };
    return this.#get("getLaunchPlan", { id }, launchPlanSchema, options, checkedSearch(launchQuerySchema, query));
  }

  /** Returns what to paste to launch the best match of a query, or the first of its `top`. `GET /api/v2/plan` */
  async getPlan(query: PlanQuery = {}, options: CallOptions = {}): Promise<QueryPlan> {
    return this.#get("getPlan", {}, queryPlanSchema, options, listingsSearch(query, planQuerySchema));
  }

  /** Returns all GPU models that are known or listed, with figures, sources and market. `GET /api/v2/gpus` */
  async listGpus(options: CallOptions = {}): Promise<GpuList> {
    return this.#get("listGpus", {}, gpuListSchema, options);
  }

  /**
   * Returns a GPU by its slug. Rejects with a ServiceError `not_found`, whose message names the nearest slugs, if there is none.
   * `GET /api/v2/gpus/{slug}`
   */
  async getGpu(slug: string, options: CallOptions = {}): Promise<GpuEntry> {
    return this.#get("getGpu", { slug }, gpuEntrySchema, options);
  }

  /**
   * Returns prices per GPU over time in USD per hour. Rejects with a ServiceError `not_found` for an unknown name.
   * `GET /api/v2/gpus/{slug}/prices`
   * @param slug a slug or a family: `h100` means all of its forms, `=h100` the slug alone.
   */
  async getGpuPrices(slug: string, options: GpuPricesOptions = {}): Promise<GpuPrices> {
    const { since, until, step } = options;
    const search = checkedSearch(gpuPricesQuerySchema, { since, until, step });
    return this.#get("getGpuPrices", { slug }, gpuPricesSchema, options, search);
  }

  /**
   * Returns how often instances with a GPU were in stock in the last 14 days, by provider, size and region. Rejects with a
   * ServiceError `not_found` for an unknown name. `GET /api/v2/gpus/{slug}/stock`
   * @param slug a slug or a family, as of {@link Client.getGpuPrices}.
   */
  async getGpuStock(slug: string, options: CallOptions = {}): Promise<GpuStockList> {
    return this.#get("getGpuStock", { slug }, gpuStockSchema, options);
  }

  /**
   * Returns the hours or days in which a listing was in stock, in the last 14 days. Rejects with a ServiceError `not_found`
   * if there is no such listing. `GET /api/v2/listings/{id}/stock`
   */
  async getListingStock(id: string, options: ListingStockOptions = {}): Promise<ListingStock> {
    const { since, step } = options;
    const search = checkedSearch(listingStockQuerySchema, { since, step });
    return this.#get("getListingStock", { id }, listingStockSchema, options, search);
  }

  /** Returns the sources of the offers, and when their prices were last confirmed. `GET /api/v2/sources` */
  async listSources(options: CallOptions = {}): Promise<SourceList> {
    return this.#get("listSources", {}, sourceListSchema, options);
  }

  /**
   * Returns the price history of an offer. Rejects with a ServiceError `not_found` if the service never had the offer. `GET /api/v2/history`
   * @param offer id of an offer, which may no longer exist.
   */
  async getPriceHistory(offer: string, options: CallOptions = {}): Promise<PriceHistory> {
    const search = checkedSearch(priceHistoryQuerySchema, { offer });
    return this.#get("getPriceHistory", {}, priceHistorySchema, options, search);
  }

  /** Returns the account of the API key. Rejects with a ServiceError `unauthorized` without a valid key. `GET /api/v1/account` */
  async getAccount(options: CallOptions = {}): Promise<Account> {
    return this.#get("getAccount", {}, accountSchema, options);
  }

  /**
   * Returns the account's credit in USD, a decimal string with 4 places. Rejects with a ServiceError `unauthorized`
   * without a valid key. `GET /api/v1/account/balance`
   */
  async getBalance(options: CallOptions = {}): Promise<Balance> {
    return this.#get("getBalance", {}, balanceSchema, options);
  }

  /**
   * Iterates over all matching offers in order, in pages of 100 that are requested concurrently. The event `restart`
   * means that the catalog has changed: discard all previous pages. The pages since the last restart are of one catalog,
   * and complete when the iterator ends.
   * @throws ArgumentError at once for an invalid query or concurrency. While iterating, the errors of the other methods,
   * and CatalogChangedError after 8 restarts.
   */
  allOffers(query: AllOffersQuery = {}, options: AllOffersOptions = {}): AsyncGenerator<OffersEvent, void, undefined> {
    const targetOf = allPages(query, "listOffers", (all) => checkedSearch(listOffersQuerySchema, all));
    return readPages(OFFER_PAGES, this.#pageReader(targetOf, offerListSchema), options);
  }

  /**
   * Iterates over all matching listings in order, like {@link Client.allOffers}. Pages since the last restart are of one catalog
   * with the same facts; the age of prices may change between them.
   * @throws ArgumentError at once for an invalid query or concurrency. While iterating, the errors of the other methods,
   * and CatalogChangedError after 8 restarts.
   */
  allListings(
    query: AllListingsQuery = {},
    options: AllOffersOptions = {},
  ): AsyncGenerator<ListingsEvent, void, undefined> {
    const targetOf = allPages(query, "listListings", listingsSearch);
    return readPages(LISTING_PAGES, this.#pageReader(targetOf, listingListSchema), options);
  }

  #pageReader<Value>(targetOf: (page: number) => string, schema: z.ZodType<Value>) {
    return (page: number, signal: AbortSignal) => this.#connection.get(targetOf(page), schema, { signal });
  }

  /** Calls an operation. `search` is its query string. */
  async #get<Name extends OperationName, Value>(
    name: Name,
    parameters: OperationParameters<Name>,
    schema: z.ZodType<Value>,
    options: CallOptions,
    search = "",
  ): Promise<Value> {
    return (await this.#connection.get(operationPath(name, parameters) + search, schema, options)).value;
  }
}

/**
 * Creates a client of the service at `baseUrl`, without sending a request.
 * @throws ArgumentError that names every invalid option.
 */
export function createClient(options: ClientOptions): Client {
  return new Client(options);
}

/**
 * The target of each page of a query.
 * @throws ArgumentError for an invalid query, and for paging parameters, which types don't exclude in wider objects and
 * which would be silently ignored.
 */
function allPages(
  query: object,
  name: "listOffers" | "listListings",
  textOf: (query: object) => string,
): (page: number) => string {
  const given = (["page", "size"] as const).filter((key) => Reflect.get(query, key) !== undefined);
  throwProblems("query", Object.fromEntries(given.map((key) => [key, "must be omitted, because all pages are read"])));
  const targetOf = (page: number): string => operationPath(name, {}) + textOf({ ...query, page, size: MAX_PAGE_SIZE });
  targetOf(0);
  return targetOf;
}
