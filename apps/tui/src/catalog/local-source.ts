import {
  listComparator,
  matchesOffer,
  toOfferFilter,
  type Account,
  type Balance,
  type ListingFacts,
  type Offer,
  type OsImage,
  type Provider,
} from "@gpu-offers/domain";
import { UNKNOWN_AGE, type CatalogAge, type ServerQuery } from "@gpu-offers/list";
import type { LocalCatalog } from "./local-catalog.js";
import type { ListPart, LiveFetching, OfferSource, RejectedRow } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";

/** Options of a local source. */
export interface LocalOptions {
  /** The folder of fetched prices; undefined if there is none. */
  folder: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  userAgent: string;
}

/** Offers without a server: prices fetched before, or else the starter catalog. It can fetch current prices. */
export class LocalSource implements OfferSource {
  readonly place = "local prices";
  readonly options = "";
  readonly hasAccount = false;
  readonly live: LiveFetching;
  #note: string | undefined;
  #catalog: Promise<LocalCatalog> | undefined;
  #facts: LocalCatalog["facts"] = new Map();
  readonly #options: LocalOptions;

  constructor(options: LocalOptions) {
    this.#options = options;
    this.live = {
      note: () => this.#note,
      fetch: async (onProgress, signal) => {
        const { fetchLivePrices } = await import("./live-fetch.js");
        await fetchLivePrices({
          ...this.#options,
          signal,
          onProgress: (progress) => {
            // What has arrived is listed from now on.
            this.#catalog = undefined;
            onProgress(progress);
          },
        });
      },
    };
  }

  async *list({ sort_by, sort_order, ...filter }: ServerQuery): AsyncGenerator<ListPart> {
    const { offers } = await this.#read();
    const wanted = toOfferFilter(filter);
    const found = offers.filter((offer) => matchesOffer(offer, wanted)).sort(listComparator({ sort_by, sort_order }));
    yield { kind: "page", offers: found, total: found.length };
  }

  listRejected(): Promise<readonly RejectedRow[]> {
    return Promise.resolve([]);
  }

  async findOffer(id: string): Promise<Offer | undefined> {
    return (await this.#read()).offers.find((offer) => offer.id === id);
  }

  factsOf(id: string): ListingFacts | undefined {
    return this.#facts.get(id);
  }

  async findImages(provider: string): Promise<readonly OsImage[] | undefined> {
    return (await this.#read()).images.get(provider);
  }

  async readAge(): Promise<CatalogAge> {
    const { pricesAsOf } = await this.#read();
    return pricesAsOf.size === 0 ? UNKNOWN_AGE : { pricesAsOf, staleProviders: [] };
  }

  findHistory(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async listProviders(): Promise<readonly Provider[]> {
    return (await this.#read()).providers;
  }

  getAccount(): Promise<Account> {
    return Promise.reject(noAccount());
  }

  getBalance(): Promise<Balance> {
    return Promise.reject(noAccount());
  }

  #read(): Promise<LocalCatalog> {
    this.#catalog ??= import("./local-catalog.js").then(async ({ readLocalCatalog }) => {
      const catalog = await readLocalCatalog(this.#options.folder);
      this.#facts = catalog.facts;
      this.#note = catalog.isSample ? "sample prices" : undefined;
      return catalog;
    });
    return this.#catalog;
  }
}

function noAccount(): OfferSourceError {
  return new OfferSourceError({ kind: "file", message: "there is no account without a server. Set GPU_OFFERS_URL." });
}
