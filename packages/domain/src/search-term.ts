import type { WantedImage } from "./image-filter.js";
import type { Offer } from "./offer-schema.js";

// What a search text means, as plain values: read-search.ts makes them, search-match.ts and search-index.ts hold them
// against offers.

/** The compared field of a comparison. */
export type SearchField =
  | "gpuCount"
  | "vram"
  | "totalVram"
  | "ram"
  | "vcpu"
  /** The largest disk that the offer can have, GB. */
  | "disk"
  | "pricePerGpu"
  | "priceHourly";

/** The operator of a comparison. */
export type SearchOperator = "=" | "<" | "<=" | ">" | ">=";

/** One condition of a search. */
export type SearchTerm =
  /** One of these GPUs. */
  | { readonly kind: "gpu"; readonly slugs: readonly string[] }
  /** One of these providers, by {@link providerKey}. */
  | { readonly kind: "provider"; readonly keys: readonly string[] }
  /**
   * One of these countries (`de`) or continents (`@eu`), or a place with this name in its region or city, as whole
   * words. Codes and name are in lower case.
   */
  | { readonly kind: "place"; readonly codes: readonly string[]; readonly name?: string }
  /** An instance type of the provider that begins with the text, or has a word that does. */
  | { readonly kind: "type"; readonly text: string }
  /** A provider with such an image, among these. */
  | { readonly kind: "image"; readonly wanted: WantedImage; readonly providers: readonly string[] }
  /** One of these deployment types. */
  | { readonly kind: "deployment"; readonly types: readonly string[] }
  /** Whether it is known that NVLink joins the GPUs; is available; has a spot price. */
  | { readonly kind: "nvlink" | "available" | "spot" }
  /** Occurs in a name: spaces and hyphens are ignored, numbers only match whole. An open one may end within a word. */
  | { readonly kind: "word"; readonly text: string; readonly isOpen?: boolean }
  /** Occurs as written, as whole words; without a closing quote, its last word may be incomplete. */
  | { readonly kind: "phrase"; readonly text: string; readonly isOpen: boolean }
  /** A single whole number: a count, the VRAM of one GPU, or a number in the GPU's name. */
  | { readonly kind: "number"; readonly value: number }
  /** Sizes are GB, prices USD per hour. */
  | {
      readonly kind: "compare";
      readonly field: SearchField;
      readonly operator: SearchOperator;
      readonly value: number;
    }
  | { readonly kind: "all"; readonly terms: readonly SearchTerm[] }
  | { readonly kind: "any"; readonly terms: readonly SearchTerm[] }
  | { readonly kind: "not"; readonly term: SearchTerm };

/** Words of a search, and what they were taken for: `under $2`, `below $2 per GPU-hour`. */
export interface Understood {
  readonly text: string;
  readonly as: string;
}

/** What a search wishes besides conditions. */
export interface SearchWishes {
  /** `cheapest`: by the price of a GPU-hour, lowest first. */
  readonly sortBy?: "pricePerGpu";
  /** `spot`, `on demand`: whether prices are spot prices, which comparisons of prices then use. */
  readonly spot?: boolean;
  /** `1tb disk`: the disk to price, GB. */
  readonly diskGb?: number;
}

/** A word that no name contains, and names like it: at most three. */
export interface UnknownWord {
  readonly text: string;
  readonly nearest: readonly string[];
}

/** A search text as it was understood. Its terms must all match. */
export interface ParsedSearch {
  readonly text: string;
  readonly terms: readonly SearchTerm[];
  readonly wishes: SearchWishes;
  /** What was taken otherwise than written, in the order of the text. */
  readonly understood: readonly Understood[];
  /** Only if nothing matches. */
  readonly unknown: readonly UnknownWord[];
}

/** What a search sees of an offer; a listing has all of it. */
export interface Searched {
  readonly offer: Offer;
  /** As the provider names it; null or undefined if unknown. */
  readonly instanceType?: string | null | undefined;
  /** The spot price of the whole instance in USD per hour. A minimum bid is not a price. */
  readonly spot?: { readonly priceHourly: number; readonly kind: "price" | "bid" } | null | undefined;
}
