import {
  imageFits,
  listComparator,
  matchesImage,
  matchesOffer,
  toOfferFilter,
  type Account,
  type Balance,
  type ListedOffer,
  type OsImage,
  type Provider,
  type WantedImage,
} from "@gpu-offers/domain";
import { UNKNOWN_AGE, type CatalogAge } from "@gpu-offers/list";
import type { CatalogFile } from "./catalog-file.js";
import type { ImagesOptions, ListPart, LiveFetching, OfferSource, RejectedRow, SourceQuery } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";

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

  async *list({ sort_by, sort_order, image, ...filter }: SourceQuery): AsyncGenerator<ListPart> {
    if (this.#settings.isReread) {
      this.forget();
    }
    const catalog = await this.#read();
    const wanted = toOfferFilter(filter);
    const found = catalog.offers
      .filter((offer) => matchesOffer(offer, wanted) && canBoot(catalog, offer, image))
      .sort(listComparator({ sort_by, sort_order }));
    yield { kind: "page", offers: found, total: found.length };
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

/** Whether an offer can boot the requested image, if any. */
function canBoot(catalog: CatalogFile, { provider, listing }: ListedOffer, wanted: WantedImage | undefined): boolean {
  const images = bootableImages(catalog, provider.name, listing?.instanceType);
  return wanted === undefined || images?.some((image) => matchesImage(image, wanted)) === true;
}
