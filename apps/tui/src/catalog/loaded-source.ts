import {
  atPrice,
  excludedByParameter,
  imageFits,
  leftOut,
  present,
  type Account,
  type Balance,
  type LeftOut,
  type ListedOffer,
  type ListingCatalog,
  type ListingQuery,
  type NearSearch,
  type OsImage,
  type PreparedQuery,
  type Provider,
} from "@gpu-offers/domain";
import { UNKNOWN_AGE, type CatalogAge } from "@gpu-offers/list";
import type { CatalogFile } from "./catalog-file.js";
import { listingCatalogOf } from "./listing-catalog.js";
import type { ImagesOptions, ListPart, LiveFetching, Matches, OfferSource, RejectedRow } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";
import { FLAG_WORDS, rejectionOf } from "./query-rejection.js";

/** What a source without a server is. */
interface LoadedSourceOptions {
  place: string;
  options: string;
  /** Reads all of it. The readers of all formats are imported here, because they would slow down the start. */
  read: () => Promise<CatalogFile>;
  /** Whether each list reads it again. */
  isReread: boolean;
  /** Why there is no account, and what to do about it. */
  noAccount: string;
  live?: LiveFetching;
}

/** Offers that are in memory as a whole, without a server. */
export class LoadedSource implements OfferSource {
  readonly place: string;
  readonly options: string;
  readonly hasAccount = false;
  readonly live?: LiveFetching;
  readonly #settings: LoadedSourceOptions;
  #catalog: Promise<CatalogFile> | undefined;
  #leftOut: readonly LeftOut[] = [];

  constructor(settings: LoadedSourceOptions) {
    this.#settings = settings;
    this.place = settings.place;
    this.options = settings.options;
    if (settings.live !== undefined) {
      this.live = settings.live;
    }
  }

  /** Reads it again from now on. */
  forget(): void {
    this.#catalog = undefined;
  }

  async *list(): AsyncGenerator<ListPart> {
    const { offers } = await this.#readAgain();
    yield { kind: "page", offers, total: offers.length };
  }

  async find(query: ListingQuery, limit?: number): Promise<Matches> {
    const { offers, images } = await this.#readAgain();
    const catalog = listingCatalogOf(offers, images);
    const { selection, understood } = prepared(catalog, query);
    const { positions, total, excludedBy } = catalog.select(selection, { page: 0, size: limit ?? offers.length });
    this.#leftOut = leftOut(selection.filter, excludedBy);
    return {
      offers: Array.from(positions, (at) => atPrice(present(offers[at]), selection.filter.spot)),
      total,
      understood,
      excludedBy: excludedByParameter(excludedBy, query),
    };
  }

  async findNear(query: ListingQuery): Promise<NearSearch | undefined> {
    const { offers, images } = await this.#read();
    const catalog = listingCatalogOf(offers, images);
    return query.q === undefined ? undefined : catalog.nearTo(query.q, prepared(catalog, query).selection)[0];
  }

  countLeftOut(): Promise<readonly LeftOut[]> {
    return Promise.resolve(this.#leftOut);
  }

  async listRejected(): Promise<readonly RejectedRow[]> {
    return (await this.#read()).rejected;
  }

  async findOffer(id: string): Promise<ListedOffer | undefined> {
    return (await this.#read()).offers.find((offer) => offer.id === id);
  }

  async findImages(provider: string, { instanceType }: ImagesOptions = {}): Promise<readonly OsImage[] | undefined> {
    return bootableImages(await this.#read(), provider, instanceType);
  }

  async readAge(): Promise<CatalogAge> {
    try {
      return { pricesAsOf: (await this.#read()).pricesAsOf, staleProviders: [] };
    } catch (error) {
      if (error instanceof OfferSourceError) {
        return UNKNOWN_AGE;
      }
      throw error;
    }
  }

  /** Only servers keep a history. */
  findHistory(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async listProviders(): Promise<readonly Provider[]> {
    return (await this.#read()).providers;
  }

  getAccount(): Promise<Account> {
    return Promise.reject(this.#noAccount());
  }

  getBalance(): Promise<Balance> {
    return Promise.reject(this.#noAccount());
  }

  #readAgain(): Promise<CatalogFile> {
    if (this.#settings.isReread) {
      this.forget();
    }
    return this.#read();
  }

  #read(): Promise<CatalogFile> {
    this.#catalog ??= this.#settings.read();
    return this.#catalog;
  }

  #noAccount(): OfferSourceError {
    return new OfferSourceError({ kind: "file", message: this.#settings.noAccount });
  }
}

/** Images of a provider that an instance type can boot; all if it is unknown. Undefined without such a provider. */
function bootableImages(
  { images }: CatalogFile,
  provider: string,
  instanceType: string | null | undefined,
): readonly OsImage[] | undefined {
  return images.get(provider)?.filter(({ instanceTypes }) => imageFits(instanceTypes, instanceType ?? undefined));
}

/** @throws Failure if the query can't be right. */
function prepared(catalog: ListingCatalog, query: ListingQuery): PreparedQuery {
  const read = catalog.prepare(query, FLAG_WORDS);
  if (read.problems.length > 0) {
    throw rejectionOf(read.problems);
  }
  return read;
}
