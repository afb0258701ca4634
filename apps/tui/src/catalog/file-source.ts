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
  shellWord,
} from "@gpu-offers/domain";
import { type CatalogAge, type ServerQuery, UNKNOWN_AGE } from "@gpu-offers/list";
import type { CatalogFile, CatalogPlace } from "./catalog-file.js";
import type { ListPart, OfferSource, RejectedRow } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";

/** Offers of a catalog file, without a server. */
export class FileSource implements OfferSource {
  readonly place: string;
  readonly options: string;
  readonly hasAccount = false;
  readonly #file: CatalogPlace;
  #catalog: Promise<CatalogFile> | undefined;
  #facts: CatalogFile["facts"] = new Map();

  constructor(file: CatalogPlace) {
    this.place = file.path;
    const provider = file.provider === undefined ? "" : ` --provider ${shellWord(file.provider)}`;
    this.options = `--catalog ${shellWord(file.path)}${provider}`;
    this.#file = file;
  }

  async *list({ sort_by, sort_order, ...filter }: ServerQuery): AsyncGenerator<ListPart> {
    // A refresh rereads a file, because it may have changed. Standard input can only be read once.
    if (this.#file.path !== "-") {
      this.#catalog = undefined;
    }
    const { offers } = await this.#read();
    const wanted = toOfferFilter(filter);
    const found = offers.filter((offer) => matchesOffer(offer, wanted)).sort(listComparator({ sort_by, sort_order }));
    yield { kind: "page", offers: found, total: found.length };
  }

  async listRejected(): Promise<readonly RejectedRow[]> {
    return (await this.#read()).rejected;
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
    try {
      return { pricesAsOf: (await this.#read()).pricesAsOf, staleProviders: [] };
    } catch (error) {
      if (error instanceof OfferSourceError) {
        return UNKNOWN_AGE;
      }
      throw error;
    }
  }

  /** A file never changes while it is read. */
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
    // Loaded lazily: most pickers read a server, and the readers of all formats would slow down their start.
    this.#catalog ??= import("./catalog-file.js").then(async ({ readCatalogFile }) => {
      const catalog = await readCatalogFile(this.#file);
      this.#facts = catalog.facts;
      return catalog;
    });
    return this.#catalog;
  }

  #noAccount(): OfferSourceError {
    return new OfferSourceError({ kind: "file", message: "a catalog file has no account. Remove --catalog." });
  }
}
