import {
  asSentence,
  compileSearch,
  LISTING_FILTER_NAMES,
  LISTING_PARAMETERS,
  offerFilterOf,
  oldKeyOf,
  resolveListingQuery,
  type DoorWords,
  type ListingFilter,
  type ListingNames,
  type ListingQuery,
  type QueryProblem,
  type WantedImage,
} from "@gpu-offers/domain";
import { type Query, withoutUndefined } from "@gpu-offers/list";
import type { OfferSource } from "../catalog/offer-source.js";
import { OfferSourceError } from "../catalog/offer-source-error.js";
import { providerNames, readAllImages } from "../catalog/all-images.js";
import { EXIT, Failure } from "../output/exit-codes.js";
import { listingQueryOf, type Flags } from "./flags.js";
import type { Settings } from "./settings.js";

// The query of the flags, resolved by the domain's rules. If a name expands to other or several values, a notice is
// printed once, to prevent costly misunderstandings.

/** Context of resolving names. */
export interface NameContext {
  source: OfferSource;
  /** Called once for each name that expands to other or several values. */
  notify: (text: string) => void;
}

const NO_NAMES: ListingNames = { providers: [], gpus: [], regions: [], instanceTypes: [], images: new Map() };

/** Hints as a command line is written. */
const FLAG_WORDS: DoorWords = {
  assign: (name, value) => `${nameOf(name)} ${/\s/.test(value) ? JSON.stringify(value) : value}`,
  nameOf,
  gpus: "gpu-offers gpus",
};

function nameOf(name: QueryProblem["parameter"]): string {
  return `--${LISTING_PARAMETERS[name].flag}`;
}

/**
 * The query of the flags and settings. Providers and images are read from the source.
 * @param options.isScreen Whether the picker is opened. Then `--image` preselects an image without filtering, and names of
 * providers are used literally if the source can't be read yet.
 * @throws Failure for what is invalid, such as an unknown name, with the nearest ones.
 */
export async function resolveQuery(
  flags: Flags,
  settings: Settings,
  { source, notify, isScreen = false }: NameContext & { isScreen?: boolean },
): Promise<Query> {
  const given = listingQueryOf(flags);
  const query: ListingQuery = {
    ...given,
    image: isScreen ? undefined : given.image,
    disk: given.disk ?? settings.disk,
    sort_by: given.sort_by ?? settings.sort,
    sort_order: given.sort_order ?? settings.order,
  };
  const { filter, sort } = resolve(query, await namesFor(query, source, isScreen), notify);
  return {
    filter: withoutUndefined({
      ...offerFilterOf(filter),
      // On the screen, words are as if they were typed there.
      search: query.q === undefined ? undefined : compileSearch(query.q, { takesSlips: isScreen }),
    }),
    sort: sort.sort,
    order: sort.order,
  };
}

/** The filters about what a source states beyond the offer. */
const STATED = LISTING_FILTER_NAMES.filter((name) => oldKeyOf(name) === undefined);

/**
 * The filters about what a source states beyond the offer. Hosts that their marketplace hasn't verified are left out
 * unless they are requested.
 * @throws Failure if the model of --fits isn't one.
 */
export function listingFilterOf(flags: Flags): ListingFilter {
  const query = { verified: "not-false", ...only(STATED, listingQueryOf(flags)) } as const;
  return withoutUndefined(resolve(query, NO_NAMES).filter);
}

/** Some members of an object, those that it has. */
function only<Whole extends object, Key extends keyof Whole>(
  keys: readonly Key[],
  whole: Whole,
): Partial<Pick<Whole, Key>> {
  const values: Partial<Pick<Whole, Key>> = {};
  for (const key of keys) {
    if (whole[key] !== undefined) {
      values[key] = whole[key];
    }
  }
  return values;
}

/**
 * The names of providers that a name may mean.
 * @throws Failure for an unknown name, with the nearest ones.
 */
export async function providersOf(name: string, { source, notify }: NameContext): Promise<readonly string[]> {
  const names = { ...NO_NAMES, providers: await providerNames(source) };
  return resolve({ provider: [name] }, names, notify).filter.provider ?? [];
}

type Resolved = Pick<ReturnType<typeof resolveListingQuery>, "filter" | "sort">;

function resolve(query: ListingQuery, names: ListingNames, notify: NameContext["notify"] = () => {}): Resolved {
  const { filter, sort, understood, problems } = resolveListingQuery(query, names, FLAG_WORDS);
  if (problems.length > 0) {
    throw problemOf(problems);
  }
  understood.forEach(({ text, as }) => notify(`${text}: ${as}`));
  return { filter, sort };
}

const IMAGE_PARAMETERS: ReadonlySet<string> = new Set(["image", "os", "cuda"]);

/** An image that no provider has is no invalid value: nothing matches it. */
function problemOf(problems: readonly QueryProblem[]): Failure {
  const isImage = problems.every(({ parameter }) => IMAGE_PARAMETERS.has(parameter));
  const text = problems.map(({ parameter, reason }) => `${nameOf(parameter)} ${reason}`).join("; ");
  return new Failure(isImage ? EXIT.nothing : EXIT.usage, asSentence(text));
}

/** What the query needs to know of a source. */
async function namesFor(query: ListingQuery, source: OfferSource, isScreen: boolean): Promise<ListingNames> {
  const isImage = wantedImage(query) !== undefined;
  return {
    ...NO_NAMES,
    providers: query.provider === undefined ? [] : await knownProviders(query.provider, source, isScreen),
    images: isImage ? await readAllImages(source) : NO_NAMES.images,
  };
}

async function knownProviders(
  typed: readonly string[],
  source: OfferSource,
  isScreen: boolean,
): Promise<readonly string[]> {
  try {
    return await providerNames(source);
  } catch (error) {
    if (isScreen && error instanceof OfferSourceError) {
      return typed;
    }
    throw error;
  }
}

/** The image of the flags; undefined if they have none. */
export function wantedImage({ image, os, cuda }: Pick<ListingQuery, "image" | "os" | "cuda">): WantedImage | undefined {
  return image === undefined && os === undefined && cuda === undefined ? undefined : { id: image, os, cuda };
}
