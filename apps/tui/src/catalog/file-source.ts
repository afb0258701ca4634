import { createReadStream } from "node:fs";
import { readApiAnswer, readNative, SourceError, type SourceItem } from "@gpu-offers/sources";
import {
  compareOffers,
  compareOsImages,
  type Account,
  type Balance,
  type Offer,
  type OsImage,
  type Provider,
} from "@gpu-offers/domain";
import { matching, type ServerQuery } from "../picker/query.js";
import type { ListPart, OfferSource } from "./offer-source.js";
import { SourceFault } from "./source-fault.js";

/** Offers of a catalog file, without any server: a native catalog, or a saved answer of one. */
export class FileSource implements OfferSource {
  readonly place: string;
  readonly hasAccount = false;
  #catalog: Promise<Catalog> | undefined;

  constructor(path: string) {
    this.place = path;
  }

  async *list({ sort_by, sort_order, ...filter }: ServerQuery): AsyncGenerator<ListPart> {
    // A refresh reads the file again: it may have been written anew.
    this.#catalog = readCatalog(this.place);
    const { offers } = await this.#catalog;
    const found = matching(offers, filter).sort(compareOffers({ sort_by, sort_order }));
    yield { kind: "page", offers: found, total: found.length };
  }

  async findOffer(id: string): Promise<Offer | undefined> {
    return (await this.#read()).offers.find((offer) => offer.id === id);
  }

  async findImages(provider: string): Promise<readonly OsImage[] | undefined> {
    return (await this.#read()).images.get(provider);
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

  #read(): Promise<Catalog> {
    this.#catalog ??= readCatalog(this.place);
    return this.#catalog;
  }

  #noAccount(): SourceFault {
    return new SourceFault({ kind: "file", message: "a catalog file has no account; leave --catalog out." });
  }
}

interface Catalog {
  offers: Offer[];
  providers: Provider[];
  images: Map<string, readonly OsImage[]>;
}

async function readCatalog(path: string): Promise<Catalog> {
  try {
    return await collect(readNative(createReadStream(path)));
  } catch (error) {
    // What is no native catalog may be a saved answer of a server.
    return await collect(readApiAnswer(createReadStream(path))).catch(() => {
      throw new SourceFault({ kind: "file", message: `cannot read the catalog ${path}: ${reasonOf(error)}` });
    });
  }
}

async function collect(items: AsyncIterable<SourceItem>): Promise<Catalog> {
  const catalog: Catalog = { offers: [], providers: [], images: new Map() };
  for await (const item of items) {
    if (item.kind === "offer") {
      catalog.offers.push(item.offer);
    } else if (item.kind === "provider") {
      const { name, type, images } = item.provider;
      catalog.providers.push({ name, type });
      catalog.images.set(name, [...images].sort(compareOsImages));
    }
  }
  return catalog;
}

function reasonOf(error: unknown): string {
  if (error instanceof SourceError) {
    return error.message;
  }
  return error instanceof Error ? `${error.message}.` : String(error);
}
