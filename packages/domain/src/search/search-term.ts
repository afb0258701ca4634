import type { WantedImage } from "../image/image-filter.js";
import type { ListingFacts } from "../offer/listing-schema.js";
import type { ListedOffer } from "../offer/listed-offer.js";
import type { Offer } from "../offer/offer-schema.js";

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
  | {
      kind: "gpu";
      /** GPU slugs, one of which it must be. */
      slugs: readonly string[];
    }
  /** One of these providers, by {@link providerKey}. */
  | {
      kind: "provider";
      /** Keys of providers, one of which it must be. */
      keys: readonly string[];
    }
  /**
   * One of these countries (`de`) or continents (`@eu`), or a place with this name in its region or city, as whole
   * words. Codes and name are in lower case.
   */
  | {
      kind: "place";
      /** Codes of countries and continents, in lower case. */
      codes: readonly string[];
      /** Name of a place, in lower case. */
      name?: string;
    }
  /** An instance type of the provider that begins with the text, or has a word that does; or that is the text. */
  | {
      kind: "type";
      /** The text, in lower case. */
      text: string;
      /** Whether the text is the whole name. */
      isWhole?: true;
    }
  /** A provider with such an image, among these. */
  | {
      kind: "image";
      /** What the image must be. */
      wanted: WantedImage;
      /** Providers that have such an image. */
      providers: readonly string[];
    }
  /** One of these deployment types. */
  | {
      kind: "deployment";
      /** Deployment types, one of which it must be. */
      types: readonly string[];
    }
  /**
   * Whether it is known that NVLink joins the GPUs; is available; has a spot price; is of a host that its marketplace has
   * verified; is of an individual host; is of a provider or a vetted partner.
   */
  | {
      /** What must hold. */
      kind: "nvlink" | "available" | "spot" | "verified" | "host" | "vetted";
    }
  /** Occurs in a name: spaces and hyphens are ignored, numbers only match whole. A phrase occurs as written, as whole words. */
  | {
      /** How the text occurs. */
      kind: "word" | "phrase";
      /** The text, in lower case. */
      text: string;
      /** Whether the last word may go on, as without a closing quote. */
      isOpen?: boolean;
    }
  /** A single whole number: a count, the VRAM of one GPU, or a number in the GPU's name. */
  | {
      kind: "number";
      /** The number: USD per hour, GB or a count. */
      value: number;
    }
  /** Sizes are GB, prices USD per hour. */
  | {
      kind: "compare";
      /** What is compared. */
      field: SearchField;
      /** How it is compared. */
      operator: SearchOperator;
      /** USD per hour, GB or a count. */
      value: number;
    }
  | {
      /** How many of the conditions must hold. */
      kind: "all" | "any";
      /** The conditions. */
      terms: readonly SearchTerm[];
    }
  | {
      kind: "not";
      /** The condition that must not hold. */
      term: SearchTerm;
    };

/** Words of a search, and what they were taken for: `under $2`, `below $2 per GPU-hour`. */
export interface Understood {
  /** The words, as written. */
  text: string;
  /** What they were taken for. */
  as: string;
  /** Why the reading is doubtful, if it is: a clause. */
  doubt?: string | undefined;
  /** Words that take the other reading, in place of `text`; empty to drop them. Only where there is one. */
  instead?: string | undefined;
  /** Only of a word that no name contains: names like it, nearest first. */
  nearest?: readonly string[] | undefined;
  /** What they wish for and don't require, if so. */
  wish?: "sortBy" | "spot" | undefined;
}

/** Words of a search text, where they stand, and what they were taken for. */
export interface SearchPiece extends Understood {
  /** Its conditions, of which all must hold; none for wishes and dropped words. */
  terms: readonly SearchTerm[];
  /** Index of its first character. */
  start: number;
  /** Index after its last character. */
  end: number;
}

/** The text with other words in place of a piece: `instead`, or none to drop it. */
export function withoutPiece(text: string, { start, end }: SearchPiece, instead = ""): string {
  return text.slice(0, start) + instead + text.slice(end);
}

/** A reading in words, with what is doubtful in it: `under $2: below $2 per GPU-hour`. */
export function understoodText({ text, as, doubt, instead }: Understood): string {
  const other = instead === undefined || instead === "" ? "" : `; or write ${JSON.stringify(instead)}`;
  return `${text}: ${as}${doubt === undefined ? "" : ` (${doubt}${other})`}`;
}

/** What a search wishes besides conditions. */
export interface SearchWishes {
  /** `cheapest`: by the price of a GPU-hour, of the machine, with its disk, or of memory, lowest first. `most vram`: highest first. */
  sortBy?: "pricePerGpu" | "priceHourly" | "total" | "vramPrice" | "totalVram" | "gpuCount";
  /** Only of an order that is highest first. */
  sortOrder?: "desc";
  /** `spot`, `on demand`: whether prices are spot prices, which comparisons of prices then use. */
  spot?: boolean;
  /** `1tb disk`: the disk to price, GB. */
  diskGb?: number;
  /** `budget $50`: USD for all hours. */
  budgetUsd?: number;
  /** `for 3 days`: how long the machine is needed. */
  hours?: number;
  /** `runs llama 70b`: the model, as in `fits`. */
  fits?: string;
}

/** A word that no name contains, and names like it: at most three. */
export interface UnknownWord {
  /** The word, as written. */
  text: string;
  /** Names like it, nearest first. */
  nearest: readonly string[];
}

/** A search text as it was understood. Its terms must all match. */
export interface ParsedSearch {
  /** The text as it was written. */
  text: string;
  /** Its conditions, which must all match. */
  terms: readonly SearchTerm[];
  /** Order, spot prices and disk that it asks for. */
  wishes: SearchWishes;
  /** All that has a meaning, in the order of the text. */
  pieces: readonly SearchPiece[];
  /** The pieces that are doubtful, or were taken otherwise than written. */
  understood: readonly SearchPiece[];
  /** Only if nothing matches. */
  unknown: readonly UnknownWord[];
}

/** What a search sees of an offer. A listing is one; facts that are not given are unknown. */
export interface Searched {
  /** The offer. */
  offer: Offer;
  /** What the provider calls the machine; null or undefined if unknown. */
  instanceType?: ListingFacts["instanceType"] | undefined;
  /** Spot terms, USD per hour of the whole instance; null or undefined if unknown. */
  spot?: ListingFacts["spot"] | undefined;
  /** Whether it can be had; null or undefined if its source says nothing about it. */
  availability?: ListingFacts["availability"] | undefined;
  /** Whether it is of the sample that ships. */
  sample?: boolean | undefined;
  /** Who provides the machine; null or undefined if unknown. */
  seller?: ListingFacts["seller"] | undefined;
  /** Whether its marketplace has verified the host; null or undefined if unknown. */
  verified?: ListingFacts["verified"] | undefined;
}

/** What searches know of an offer: its fields, and what its source states beyond them. */
export function searchedOf(offer: ListedOffer): Searched {
  const { instanceType, spot, availability, sample, seller, verified } = offer.listing ?? {};
  return { offer, instanceType, spot, availability, sample, seller, verified };
}

/** One term for terms that must all match. */
export function all(terms: readonly SearchTerm[]): SearchTerm {
  const [first] = terms;
  return terms.length === 1 && first !== undefined ? first : { kind: "all", terms };
}

/** One term for terms of which one must match. */
export function either(terms: readonly SearchTerm[]): SearchTerm {
  const flat = terms.flatMap((term) => (term.kind === "any" ? term.terms : [term]));
  const [first] = flat;
  return flat.length === 1 && first !== undefined ? first : { kind: "any", terms: flat };
}

/** The opposite of a term. */
export function negatedTerm(term: SearchTerm): SearchTerm {
  return term.kind === "not" ? term.term : { kind: "not", term };
}
