import {
  imageParameters,
  LISTING_PARAMETER_NAMES,
  LISTING_PARAMETERS,
  queryOf,
  resolveListingQuery,
  type KnownImages,
  type ListingNames,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
  type WantedImage,
} from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { providerNames, readAllImages, unlessFailed } from "../catalog/read-source.js";
import { FLAG_WORDS, rejectionOf } from "../catalog/query-words.js";
import { listingQueryOf, type Flags } from "./flags.js";
import type { Settings } from "./settings.js";

// The query of the flags. If a name expands to other or several values, a notice is printed once, to prevent costly
// misunderstandings.

type Notify = (text: string) => void;

const NO_NAMES: ListingNames = { providers: [], gpus: [], regions: [], instanceTypes: [], images: new Map() };

/**
 * The query of the flags and settings.
 * @param notify Called once for each name that expands to other or several values.
 * @throws Failure for what can't be right without knowing any offers, such as an unknown country, with the nearest ones.
 */
export function resolveQuery(flags: Flags, settings: Settings, notify: Notify): ListingQuery {
  const given = listingQueryOf(flags);
  const disk = given.disk ?? settings.disk;
  const query: ListingQuery = {
    ...given,
    disk: disk === 0 ? undefined : disk,
    sort_by: given.sort_by ?? settings.sort,
    sort_order: given.sort_order ?? settings.order,
  };
  const checked = partOf(query, (name) => !isOfCatalog(name));
  resolve(checked, NO_NAMES, notify);
  return query;
}

/** The names of providers that a name may mean. @throws Failure for an unknown name, with the nearest ones. */
export async function providersOf(name: string, source: OfferSource, notify: Notify): Promise<readonly string[]> {
  return resolve({ provider: [name] }, { ...NO_NAMES, providers: await providerNames(source) }, notify);
}

/**
 * Checks the names of providers and images before a screen is opened. If the source can't be read yet, the screen says so.
 * @returns the images of all providers, if the query asks for one.
 * @throws Failure for an unknown name, with the nearest ones.
 */
export async function checkNames(
  query: ListingQuery,
  source: OfferSource,
  notify: Notify,
): Promise<KnownImages | undefined> {
  const check = async (): Promise<KnownImages | undefined> => {
    const images = wantedImage(query) && (await readAllImages(source));
    const providers = query.provider === undefined ? [] : await providerNames(source);
    resolve(partOf(query, isOfCatalog), { ...NO_NAMES, providers, images: images ?? NO_NAMES.images }, notify);
    return images;
  };
  return unlessFailed(check());
}

/** @returns the providers. */
function resolve(query: ListingQuery, names: ListingNames, notify: Notify): readonly string[] {
  const { filter, understood, problems } = resolveListingQuery(query, names, FLAG_WORDS);
  if (problems.length > 0) {
    throw rejectionOf(problems);
  }
  understood.forEach(({ text, as }) => notify(`${text}: ${as}`));
  return filter.provider ?? [];
}

function isOfCatalog(name: ListingParameterName): boolean {
  const { named }: ListingParameter = LISTING_PARAMETERS[name];
  return named === "providers" || named === "images" || named === "offers";
}

function partOf(query: ListingQuery, isPart: (name: ListingParameterName) => boolean): ListingQuery {
  return queryOf(LISTING_PARAMETER_NAMES.filter(isPart).map((name) => [name, query[name]]));
}

/** The image of a query; undefined if it has none. */
export function wantedImage(query: ListingQuery): WantedImage | undefined {
  const wanted = imageParameters(query);
  return Object.keys(wanted).length === 0 ? undefined : wanted;
}
