import type { ImageFilter } from "../image/image-filter.js";
import type { OsImage } from "../image/os-image-schema.js";
import type { ModelFilter } from "../model/model-filter.js";
import type { ListingFacts } from "../offer/listing-schema.js";
import type { Offer } from "../offer/offer-schema.js";
import type { QuantityKind } from "../text/quantity.js";
import type { ListListingsQuery } from "./listing-query-types.js";

// What a parameter of the listing query is: a row of LISTING_PARAMETERS.

/** Name of a parameter in the HTTP API: the one key of everything about it. */
export type ListingParameterName = keyof ListListingsQuery;

/** A query of listings with typed values, by the names of the HTTP API. What is undefined has no effect. */
export type ListingQuery = Omit<ListListingsQuery, "page" | "size"> & {
  /** Page number, 0-indexed; default: 0. */
  page?: number | undefined;
  /** Listings in a page, 1 to 100; default: 25. */
  size?: number | undefined;
};

/** What filters see of a listing. */
export type FilteredListing = Pick<ListingFacts, "instanceType" | "seller" | "verified" | "spot"> & {
  /** The offer: prices in USD per hour, sizes in GB. */
  offer: Offer;
};

/** Values that aren't those of the query. */
interface ResolvedValues {
  /** True: only available offers. */
  available?: true | undefined;
  /** `not-false`: none that a marketplace hasn't verified; `true`: only verified ones. */
  verified?: "not-false" | "true" | undefined;
  /** `true`: only spot prices; `bid`: minimum bids, too. Prices then are spot prices. */
  spot?: "true" | "bid" | undefined;
  /** The image of `image`, `os` and `cuda`, and the providers that have it. */
  image?: ImageFilter | undefined;
  /** A model: only offers that it fits, be it tightly. */
  fits?: ModelFilter | undefined;
}

/**
 * A query whose names are resolved: slugs of GPUs in lower case, names of providers and continents, ISO codes of countries in
 * upper case. Words are evaluated apart, and values without effect, such as `verified: "any"`, are left out.
 */
export type ListingFilter = Omit<
  ListingQuery,
  keyof ResolvedValues | "q" | "os" | "cuda" | "sort_by" | "sort_order" | "page" | "size"
> &
  ResolvedValues;

/** Facts that many listings have in common: a rule that depends on one alone is decided once for each distinct value. */
export type ListingGroup =
  | "gpu"
  | "provider"
  | "place"
  | "terms"
  | "instanceType"
  | "image"
  | "kind"
  | "machine"
  | "storage"
  | "memory"
  | "processors";

/** How a parameter is written. */
export type ParameterKind = keyof KindValues;

/** The value of each kind. */
interface KindValues extends Record<QuantityKind, number> {
  /** Names separated by commas, or a list of them. */
  names: readonly string[];
  /** The same for regions, whose names have commas: `Texas, US`. */
  regions: readonly string[];
  boolean: boolean;
  choice: string;
  /** Several of the choices. */
  choices: readonly string[];
  text: string;
}

/** The control of a filter in the picker and on the page. Its kind follows from the parameter's. */
interface ParameterControl {
  /** Its name, at most 18 characters. */
  label: string;
  /** `query`: beside the words, also above the list of the page; `more`: after all others. */
  place: "query" | "first" | "more";
  /** Labels of the allowed values of a choice; by default the values. */
  labels?: readonly string[];
  /** The values of a listing, and their labels: each is offered with the number of listings that choosing it shows. */
  valuesOf?: (listing: FilteredListing) => readonly (readonly [value: string, label: string])[];
  /** The same for a parameter of images. */
  imageValuesOf?: (image: OsImage) => readonly string[];
}

interface ParameterOf<Kind extends ParameterKind, Value = KindValues[Kind]> {
  /** How its value is written. */
  kind: Kind;
  /** Name of the flag in the picker and in scripts, without `--`; null if they have none. */
  flag: string | null;
  /** Name of the agents' argument; null if they have none. */
  argument: string | null;
  /** Allowed values of a choice. */
  values?: readonly string[];
  /** Maximum of a quantity. */
  maximum?: number;
  /** Its control; undefined if it isn't a filter. */
  control?: ParameterControl;
  /** What it does where it filters: whether a listing, at the price of the query, matches its resolved value. */
  rule?(listing: FilteredListing, value: Value | ImageFilter | ModelFilter, filter: ListingFilter): boolean;
  /** What the rule depends on, if it is one of these alone: only for speed. */
  dependsOn?: ListingGroup;
  /** Whether its value is read with the names of a catalog or a grammar of its own (listing-resolve.ts). */
  isNamed?: true;
  /** The filter that it is a part of. */
  of?: ListingParameterName;
  /** A value without effect. */
  off?: Value;
  /** How it is shown among the filters of a list; by default its name and value. */
  chip?: (text: string, query: ListingQuery) => string;
}

/** A parameter of the listing query. */
export type ListingParameter = { [Kind in ParameterKind]: ParameterOf<Kind> }[ParameterKind];
