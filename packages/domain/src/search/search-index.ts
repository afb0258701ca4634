import {
  allPositions,
  hasPositions,
  noPositions,
  positionsCoded,
  positionsIn,
  positionsWhere,
  type PositionBits,
} from "../position-bits.js";
import { BID, ListingColumnsBuilder, type CodeColumn } from "../columns/listing-columns.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import { ListingGroups, type ListingGroup } from "../columns/listing-groups.js";
import { present } from "../present.js";
import {
  compileTerm,
  hasMark,
  SEARCH_OPERATIONS,
  searchedValue,
  type CompiledTerm,
  type MatchOptions,
} from "./search-match.js";
import {
  formPart,
  gpuPart,
  placePart,
  providerPart,
  sharedText,
  typeTextOf,
  type GpuText,
  type PlaceText,
  type ProviderText,
  type SearchText,
} from "./search-text.js";
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

/** The distinct texts of the offers. */
export interface SearchParts {
  /** Of GPUs. */
  gpu: readonly GpuText[];
  /** Of providers. */
  provider: readonly ProviderText[];
  /** Of regions and their places. */
  place: readonly PlaceText[];
  /** Of kinds of machines. */
  form: readonly SearchText[];
  /** The empty text stands for an unknown type. */
  type: readonly SearchText[];
}

/** Finds the listings of an index by words. */
export class SearchIndex {
  readonly #groups: ListingGroups;
  readonly #found = new WeakMap<SearchTerm, { plain?: PositionBits; spot?: PositionBits }>();
  #parts: SearchParts | undefined;

  constructor(groups: ListingGroups) {
    this.#groups = groups;
  }

  /** An index over offers or listings. */
  static of(offers: readonly Searched[]): SearchIndex {
    const builder = new ListingColumnsBuilder();
    for (const { offer, instanceType = null, spot = null, availability = null, sample = false } of offers) {
      builder.add({ offer, instanceType, spot, availability, sample, seller: null, verified: null });
    }
    return new SearchIndex(new ListingGroups(builder.build()));
  }

  /** Number of offers. */
  get size(): number {
    return this.#groups.parts.size;
  }

  /** Distinct texts of the offers. */
  get parts(): SearchParts {
    const { gpu, provider, place, terms, instanceType } = this.#groups.parts.values;
    // There may be thousands of types, and most searches don't name one.
    let types: readonly SearchText[] | undefined;
    this.#parts ??= {
      gpu: gpu.map((value) => sharedText(gpuPart, { gpu: value })),
      provider: provider.map((value) => sharedText(providerPart, { provider: value })),
      place: place.map((value) => sharedText(placePart, value)),
      form: terms.map((value) => sharedText(formPart, value)),
      get type() {
        types ??= instanceType.map((value) => typeTextOf(value ?? ""));
        return types;
      },
    };
    return this.#parts;
  }

  /** The positions of the offers that match all terms, in the order in which they were added. */
  find(terms: readonly SearchTerm[], options: MatchOptions = {}): PositionBits {
    const bits = allPositions(this.size);
    for (const term of terms) {
      // Most texts of many words match nothing after a few of them.
      if (!hasPositions(bits)) {
        break;
      }
      const found = this.#findTerm(term, options);
      for (let word = 0; word < bits.length; word++) {
        bits[word] = present(bits[word]) & present(found[word]);
      }
    }
    return bits;
  }

  /** The compared numbers of the offers in a set, without unknown ones. */
  values(field: SearchField, bits: PositionBits, options: MatchOptions = {}): number[] {
    const cursor = new ListingCursor(this.#groups.parts);
    return positionsIn(bits)
      .map((position) => {
        cursor.at = position;
        return searchedValue(cursor, field, options);
      })
      .filter((value) => !Number.isNaN(value));
  }

  /** A term is searched once, because readings of a text share their terms. */
  #findTerm(term: SearchTerm, options: MatchOptions): PositionBits {
    const key = options.isSpot === true ? "spot" : "plain";
    const found = this.#found.get(term) ?? {};
    const bits = found[key] ?? this.#resolve(compileTerm(term), options);
    this.#found.set(term, { ...found, [key]: bits });
    return bits;
  }

  #resolve(term: CompiledTerm, options: MatchOptions): PositionBits {
    switch (term.kind) {
      case "mark": {
        const { mark } = term;
        return mark === "spot"
          ? this.#compare("priceHourly", (price) => !Number.isNaN(price), { isSpot: true })
          : this.#groups.decide("machine", new ListingCursor(this.#groups.parts), (listing) => hasMark(listing, mark));
      }
      case "compare": {
        const { field, operator, value } = term.compare;
        return this.#compare(field, (number) => SEARCH_OPERATIONS[operator](number, value), options);
      }
      case "not": {
        const bits = allPositions(this.size);
        const excluded = this.#resolve(term.term, options);
        return bits.map((word, index) => word & ~present(excluded[index]));
      }
      case "all":
        return term.terms.reduce((bits, part) => {
          const found = this.#resolve(part, options);
          return bits.map((word, index) => word & present(found[index]));
        }, allPositions(this.size));
      case "any":
        return term.terms.reduce((bits, part) => {
          const found = this.#resolve(part, options);
          return bits.map((word, index) => word | present(found[index]));
        }, noPositions(this.size));
      case "parts": {
        const bits = noPositions(this.size);
        const { gpu, provider, place, form, type } = term.tests;
        const { codes } = this.#groups.parts;
        addPart(bits, this.parts.gpu, codes.gpu, gpu);
        addPart(bits, this.parts.provider, codes.provider, provider);
        addPart(bits, this.parts.place, codes.place, place);
        addPart(bits, this.parts.form, codes.terms, form);
        if (type !== undefined) {
          addPart(bits, this.parts.type, codes.instanceType, type);
        }
        return bits;
      }
    }
  }

  #compare(field: SearchField, holds: (value: number) => boolean, options: MatchOptions): PositionBits {
    if (field !== "pricePerGpu" && field !== "priceHourly") {
      const cursor = new ListingCursor(this.#groups.parts);
      return this.#groups.decide(GROUP_OF[field], cursor, (listing) => holds(searchedValue(listing, field, options)));
    }
    const priceAt = this.#prices(field, options);
    return positionsWhere(allPositions(this.size), (position) => holds(priceAt(position)));
  }

  /** The compared price at a position, see {@link searchedValue}: it differs for nearly every offer. */
  #prices(field: Price, { isSpot = false }: MatchOptions): (position: number) => number {
    const { numbers, flags } = this.#groups.parts;
    const { spotPrice, gpuCount } = numbers;
    if (!isSpot) {
      const prices = numbers[field];
      return (position) => present(prices[position]);
    }
    const spotAt = (at: number): number => ((present(flags[at]) & BID) === 0 ? present(spotPrice[at]) : Number.NaN);
    return field === "priceHourly" ? spotAt : (at) => spotAt(at) / present(gpuCount[at]);
  }
}

/** Adds the positions whose text of a part passes a test. */
function addPart<Text>(
  bits: PositionBits,
  texts: readonly Text[],
  codes: CodeColumn,
  test: ((text: Text) => boolean) | undefined,
): void {
  if (test === undefined) {
    return;
  }
  const decided = Uint8Array.from(texts, (text) => (test(text) ? 1 : 0));
  if (decided.includes(1)) {
    const found = positionsCoded(codes, decided);
    for (let word = 0; word < bits.length; word++) {
      bits[word] = present(bits[word]) | present(found[word]);
    }
  }
}
