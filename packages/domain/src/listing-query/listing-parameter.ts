import type { ColumnListing } from "../columns/listing-columns.js";
import type { ListingGroup } from "../columns/listing-groups.js";
import type { gpuFacts } from "../gpu/gpu-facts.js";
import type { ImageFilter } from "../image/image-filter.js";
import type { OsImage } from "../image/os-image-schema.js";
import type { ModelFilter } from "../model/fits.js";
import type { QuantityKind } from "../text/quantity.js";

// What a parameter of the listing query is: a row of LISTING_PARAMETERS.

/** What filters see of a listing. */
export type FilteredListing = ColumnListing;

/** What rules heed besides their own value. */
export interface Beside extends BesideParameters {
  /** The published figures of a GPU. They are many: what only reads parameters does without them. */
  factsOf: typeof gpuFacts;
}

/** Parameters that other rules and chips heed. */
export interface BesideParameters {
  /** Required disk, GB. */
  disk?: number | undefined;
  /** Hours that a budget must last. */
  hours?: number | undefined;
}

/** The value of each kind of parameter. */
export interface KindValues extends Record<QuantityKind, number> {
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

/**
 * What the value of a parameter is read with: search words; names that are always known, or a grammar of its own; or names of a
 * catalog: of its providers, their images, or its offers.
 */
export type NamedBy = "words" | "grammar" | "providers" | "images" | "offers";

/** The control of a filter in the picker and on the page. Its kind follows from the parameter's. */
interface ParameterControl {
  /** Its name, at most 18 characters. */
  label: string;
  /** `query`: beside the words; `more`: after all others. */
  place: "query" | "first" | "more";
  /** Its part of the sentence that asks for a job on the page. */
  job?: {
    /** Its place in the sentence. */
    rank: number;
    /** The words before its field. */
    before: string;
    /** The words after it. */
    after?: string;
    /** The words after it if the query asks for just its number. */
    exactly?: string;
    /** What an empty field shows. */
    example?: string;
  };
  /** Values to choose from, where these are few and known. */
  known?: readonly string[];
  /** Labels of the allowed values of a choice; by default the values. */
  labels?: readonly string[];
  /** The values of a listing, and their labels: each is offered with the number of listings that choosing it shows. */
  valuesOf?: (listing: FilteredListing) => readonly (readonly [value: string, label: string])[];
  /** The same for a parameter of images. */
  imageValuesOf?: (image: OsImage) => readonly string[];
}

interface DoorDefault<Value> {
  /** The value. */
  value: Value;
  /** Which offers it leaves out: words that follow their number. */
  leavesOut: string;
}

interface ParameterOf<Kind extends keyof KindValues, Value = KindValues[Kind]> {
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
  rule?(listing: FilteredListing, value: Value | ImageFilter | ModelFilter, beside: Beside): boolean;
  /**
   * The only facts that the rule and its values depend on; required with a rule. With `cost` they include the price: a rule
   * that holds for a price must hold for all lower ones.
   */
  dependsOn?: ListingGroup;
  /** Whether the rule reads figures with `factsOf`, which the page loads after its first list. */
  needsFigures?: true;
  /** What its value is read with, if it isn't the value of the rule (listing-resolve.ts). */
  named?: NamedBy;
  /** The form of a text, and what it must be: a clause. */
  form?: {
    /** What a value must match. */
    pattern: RegExp;
    /** What an error says of another value. */
    reason: string;
  };
  /** The values of a listing, for completion in shells, where they are too many for a list of them. */
  suggestions?: (listing: FilteredListing) => readonly string[];
  /** The filter that it is a part of. */
  of?: string;
  /** A value without effect. */
  off?: Value;
  /** What doors other than `GET /api/v2/listings` assume unless it is set. */
  doorDefault?: DoorDefault<Value>;
  /** How it is shown among the filters of a list; by default its name and value. */
  chip?: (text: string, beside: BesideParameters) => string;
}

/** A parameter of the listing query. */
export type ListingParameter = { [Kind in keyof KindValues]: ParameterOf<Kind> }[keyof KindValues];
