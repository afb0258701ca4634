import { memoized } from "../memoized.js";
import {
  allPositions,
  difference,
  hasPositions,
  intersection,
  noPositions,
  positionsCoded,
  positionsIn,
  positionsWhere,
  union,
  type PositionBits,
} from "../position-bits.js";
import { BID } from "../columns/listing-columns.js";
import { listingColumns } from "../columns/listing-columns-builder.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import { ListingGroups, type ListingGroup } from "../columns/listing-groups.js";
import { present } from "../present.js";
import {
  compileTerm,
  SEARCH_MARKS,
  SEARCH_OPERATIONS,
  SEARCHED_VALUES,
  type CompiledTerm,
  type MatchOptions,
  type PartTests,
} from "./search-match.js";
import { formText, gpuText, placeText, providerText, sharedText, typeText, type PartTexts } from "./search-text.js";
import type { Searched, SearchField, SearchTerm } from "./search-term.js";

// Finds the listings of an index that match terms. It keeps nothing of them: a term about names is decided once for each
// distinct GPU, provider, place, form and instance type, and a number once for each that is distinct.

/** The facts that decide a comparison; prices are columns of their own. */
const GROUP_OF: Readonly<Record<Exclude<SearchField, Price>, ListingGroup>> = {
  gpuCount: "machine",
  vram: "gpu",
  totalVram: "machine",
  ram: "memory",
  vcpu: "processors",
  disk: "storage",
};
type Price = "pricePerGpu" | "priceHourly";

function isPrice(field: SearchField): field is Price {
  return field === "pricePerGpu" || field === "priceHourly";
}

/** Whether what a term matches depends on the kind of price. */
function comparesPrice(term: SearchTerm): boolean {
  const parts = "terms" in term ? term.terms : "term" in term ? [term.term] : [];
  return parts.some(comparesPrice) || ("field" in term && isPrice(term.field));
}

/** The facts that decide a mark. */
const MARK_GROUPS = {
  nvlink: "machine",
  available: "machine",
  verified: "terms",
  host: "terms",
  vetted: "terms",
  spot: "cost",
} as const satisfies Record<string, ListingGroup>;

/** The distinct texts of each part of the offers. */
export type SearchParts = { readonly [Part in keyof PartTexts]: readonly PartTexts[Part][] };

/** The columns of shared facts that the texts of each part come from. */
const CODES = { gpu: "gpu", provider: "provider", place: "place", form: "terms", type: "instanceType" } as const;
const PARTS = ["gpu", "provider", "place", "form", "type"] as const;

/** Finds the listings of an index by words. */
export class SearchIndex {
  readonly #groups: ListingGroups;
  /** By term, because readings of a text share terms; `spot` has only those that compare spot prices. */
  readonly #found = { plain: new WeakMap<SearchTerm, PositionBits>(), spot: new WeakMap<SearchTerm, PositionBits>() };
  #parts: SearchParts | undefined;

  constructor(groups: ListingGroups) {
    this.#groups = groups;
  }

  /** An index over offers or listings. */
  static of(offers: readonly Searched[]): SearchIndex {
    const listings = offers.map(
      ({ offer, instanceType = null, spot = null, seller = null, verified = null, availability, sample }) => {
        return { offer, instanceType, spot, seller, verified, availability, sample };
      },
    );
    return new SearchIndex(new ListingGroups(listingColumns(listings)));
  }

  /** Number of offers. */
  get size(): number {
    return this.#groups.parts.size;
  }

  /** Distinct texts of the offers. */
  get parts(): SearchParts {
    const { gpu, provider, place, terms, instanceType } = this.#groups.parts.values;
    // There may be thousands of types, and most searches don't name one.
    let types: SearchParts["type"] | undefined;
    this.#parts ??= {
      gpu: gpu.map((value) => sharedText(gpuText, { gpu: value })),
      provider: provider.map((value) => sharedText(providerText, { provider: value })),
      place: place.map((value) => sharedText(placeText, value)),
      form: terms.map((value) => sharedText(formText, value)),
      get type() {
        types ??= instanceType.map((value) => sharedText(typeText, value ?? ""));
        return types;
      },
    };
    return this.#parts;
  }

  /** The positions of the offers that match all terms, in the order in which they were added. */
  find(terms: readonly SearchTerm[], options: MatchOptions = {}): PositionBits {
    let bits = allPositions(this.size);
    for (const term of terms) {
      // Most texts of many words match nothing after a few of them.
      if (!hasPositions(bits)) {
        break;
      }
      const known = options.isSpot === true && comparesPrice(term) ? this.#found.spot : this.#found.plain;
      const own = memoized(known, term, () => this.#resolve(compileTerm(term), options));
      bits = intersection(bits, own);
    }
    return bits;
  }

  /** The compared numbers of the offers in a set, without unknown ones. */
  values(field: SearchField, bits: PositionBits, options: MatchOptions = {}): number[] {
    const cursor = new ListingCursor(this.#groups.parts);
    return positionsIn(bits)
      .map((position) => {
        cursor.at = position;
        return SEARCHED_VALUES[field](cursor, options.isSpot === true);
      })
      .filter((value) => value >= 0);
  }

  #resolve(term: CompiledTerm, options: MatchOptions): PositionBits {
    switch (term.kind) {
      case "mark": {
        const cursor = new ListingCursor(this.#groups.parts);
        return this.#groups.decide(MARK_GROUPS[term.mark], cursor, SEARCH_MARKS[term.mark]);
      }
      case "compare": {
        const { field, operator, value } = term.compare;
        return this.#compare(field, (number) => SEARCH_OPERATIONS[operator](number, value), options);
      }
      case "not":
        return difference(allPositions(this.size), this.#resolve(term.term, options));
      case "all":
        return term.terms.map((part) => this.#resolve(part, options)).reduce(intersection, allPositions(this.size));
      case "any":
        return term.terms.map((part) => this.#resolve(part, options)).reduce(union, noPositions(this.size));
      case "parts": {
        const { codes } = this.#groups.parts;
        const passing = PARTS.flatMap((part) => {
          const isOne = this.#passing(part, term.tests);
          return isOne.includes(1) ? [positionsCoded(codes[CODES[part]], isOne)] : [];
        });
        return passing.reduce(union, noPositions(this.size));
      }
    }
  }

  /** For each text of a part, 1 if it passes its test; empty if the part has no test. */
  #passing<Part extends keyof PartTexts>(part: Part, { [part]: test }: Pick<PartTests, Part>): Uint8Array {
    return test === undefined ? new Uint8Array() : Uint8Array.from(this.parts[part], (text) => (test(text) ? 1 : 0));
  }

  #compare(field: SearchField, holds: (value: number) => boolean, { isSpot = false }: MatchOptions): PositionBits {
    const { parts } = this.#groups;
    if (!isPrice(field)) {
      return this.#groups.decide(GROUP_OF[field], new ListingCursor(parts), (at) =>
        holds(SEARCHED_VALUES[field](at, false)),
      );
    }
    // As in SEARCHED_VALUES, but without a cursor: prices differ for nearly every offer.
    const { spotPrice, gpuCount } = parts.numbers;
    const prices = isSpot ? spotPrice : parts.numbers[field];
    const isDivided = isSpot && field === "pricePerGpu";
    return positionsWhere(this.size, (at) => {
      const price = isSpot && (present(parts.flags[at]) & BID) !== 0 ? Number.NaN : present(prices[at]);
      return holds(isDivided ? price / present(gpuCount[at]) : price);
    });
  }
}
