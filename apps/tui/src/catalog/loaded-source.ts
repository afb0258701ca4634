import {
  ambiguousIdText,
  atPrice,
  excludedByParameter,
  idsCalled,
  imageFits,
  leftOut,
  present,
  shellWord,
  type LeftOut,
  type ListingCatalog,
  type ListingQuery,
  type PreparedQuery,
} from "@gpu-offers/domain";
import { UNKNOWN_AGE } from "@gpu-offers/list";
import type { CatalogFile, CatalogPlace, ListedProvider } from "./catalog-file.js";
import { listingCatalogOf } from "./listing-catalog.js";
import type { LiveOptions } from "./live-fetch.js";
import type { OfferSource } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";
import { FLAG_WORDS, rejectionOf } from "./query-words.js";
import { unlessFailed } from "./read-source.js";

// Sources without a server. What reads them is imported when it is needed, because it would slow down the start.

/** Offers of a catalog file, without a server. */
export function fileSource(file: CatalogPlace): OfferSource {
  const provider = file.provider === undefined ? "" : ` --provider ${shellWord(file.provider)}`;
  const stated = { place: file.path, options: `--catalog ${shellWord(file.path)}${provider}` };
  const read = async (): Promise<CatalogFile> => (await import("./catalog-file.js")).readCatalogFile(file);
  let catalog: Promise<CatalogFile> | undefined;
  const first = (): Promise<CatalogFile> => (catalog ??= read());
  // A file may have changed. Standard input can only be read once.
  const again = (): Promise<CatalogFile> => (file.path === "-" ? first() : (catalog = read()));
  return { ...stated, ...loadedOffers(first, again, "a catalog file has no account. Remove --catalog.") };
}

/** Offers without a server: prices fetched before, or else the starter catalog. It can fetch current prices. */
export function localSource(options: Omit<LiveOptions, "signal">): OfferSource {
  let catalog: Promise<CatalogFile> | undefined;
  const read = async (): Promise<CatalogFile> => (await import("./local-catalog.js")).readLocalCatalog(options.folder);
  const kept = (): Promise<CatalogFile> => (catalog ??= read());
  return {
    place: "local prices",
    options: "",
    live: {
      fetch: async (report, signal) => {
        const { fetchLivePrices } = await import("./live-fetch.js");
        await fetchLivePrices({ ...options, signal }, (progress) => {
          // What has arrived is listed from now on.
          catalog = undefined;
          report(progress);
        });
      },
      refetch: async (provider) => {
        const { refetchProvider } = await import("./live-fetch.js");
        const progress = await refetchProvider(provider, options);
        catalog = undefined;
        return progress;
      },
    },
    ...loadedOffers(kept, kept, "there is no account without a server. Set GPU_OFFERS_URL."),
  };
}

/**
 * Offers that are in memory as a whole.
 * @param read The catalog as it was last read.
 * @param readAgain The catalog of a new list.
 * @param noAccount Why there is no account, and what to do about it.
 */
function loadedOffers(
  read: () => Promise<CatalogFile>,
  readAgain: () => Promise<CatalogFile>,
  noAccount: string,
): Omit<OfferSource, "place" | "options" | "live"> {
  let lastLeftOut: readonly LeftOut[] = [];
  const rejectAccount = (): Promise<never> =>
    Promise.reject(new OfferSourceError({ kind: "file", message: noAccount }));
  return {
    hasAccount: false,
    list: async function* () {
      const { offers } = await readAgain();
      yield { kind: "page", offers, total: offers.length };
    },
    find: async (query, limit) => {
      const { offers, providers } = await readAgain();
      const catalog = listingCatalogOf(offers, imagesOf(providers));
      const { selection, understood } = prepared(catalog, query);
      const { positions, total, excludedBy } = catalog.select(selection, { page: 0, size: limit ?? offers.length });
      lastLeftOut = leftOut(selection.filter, excludedBy);
      return {
        offers: Array.from(positions, (at) => atPrice(present(offers[at]), selection.filter.spot)),
        total,
        understood,
        excludedBy: excludedByParameter(excludedBy, query),
      };
    },
    findNear: async (query) => {
      const { offers, providers } = await read();
      const catalog = listingCatalogOf(offers, imagesOf(providers));
      return query.q === undefined ? undefined : catalog.nearTo(query.q, prepared(catalog, query).selection)[0];
    },
    countLeftOut: async () => lastLeftOut,
    listRejected: async () => (await read()).rejected,
    findOffer: async (start) => {
      const offers = new Map((await read()).offers.map((offer) => [offer.id, offer]));
      const [id = "", ...others] = idsCalled(start, offers.keys());
      if (others.length > 0) {
        throw new OfferSourceError({ kind: "file", message: `the id ${start} ${ambiguousIdText([id, ...others])}.` });
      }
      return offers.get(id);
    },
    findImages: async (provider, { instanceType } = {}) =>
      imagesOf((await read()).providers)
        .get(provider)
        ?.filter((image) => imageFits(image.instanceTypes, instanceType ?? undefined)),
    readAge: async () => {
      const catalog = await unlessFailed(read());
      const dates = catalog?.providers.flatMap(({ name, pricesAsOf }) =>
        pricesAsOf === undefined ? [] : [[name, pricesAsOf] as const],
      );
      return dates === undefined ? UNKNOWN_AGE : { pricesAsOf: new Map(dates), staleProviders: [] };
    },
    // Only servers keep a history.
    findHistory: async () => undefined,
    listProviders: async () => (await read()).providers.map(({ name, type }) => ({ name, type })),
    getAccount: rejectAccount,
    getBalance: rejectAccount,
  };
}

function imagesOf(providers: readonly ListedProvider[]): ReadonlyMap<string, ListedProvider["images"]> {
  return new Map(providers.map(({ name, images }) => [name, images]));
}

/** @throws Failure if the query can't be right. */
function prepared(catalog: ListingCatalog, query: ListingQuery): PreparedQuery {
  const read = catalog.prepare(query, FLAG_WORDS);
  if (read.problems.length > 0) {
    throw rejectionOf(read.problems);
  }
  return read;
}
