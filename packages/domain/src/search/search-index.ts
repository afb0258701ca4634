import {
  addPosition,
  allPositions,
  hasPositions,
  noPositions,
  positionsIn,
  type PositionBits,
} from "../position-bits.js";
import { present } from "../present.js";
import {
  compileTerm,
  hasMark,
  SEARCH_OPERATIONS,
  searchedValue,
  type CompiledTerm,
  type MatchOptions,
  type SearchMark,
} from "./search-match.js";
import { formPart, gpuPart, placePart, providerPart, typePart, type Part } from "./search-text.js";
import type { Searched, SearchField, SearchTerm } from "./search-term.js";

// Finds the offers that match terms. A term about names is decided once for each distinct GPU, provider, place, form and
// instance type; each offer then needs a look into five short tables. Numbers are columns. `compileTerms` is the reference
// implementation. It keeps no offers: about 100 bytes each.

const MARKS: readonly SearchMark[] = ["nvlink", "available", "spot"];
/** Columns of numbers; others follow from them. `spot` is the instance's spot price. */
const FIELDS = ["gpuCount", "vram", "ram", "vcpu", "disk", "pricePerGpu", "priceHourly", "spot"] as const;
type Column = (typeof FIELDS)[number];
const SPOT: MatchOptions = { isSpot: true };

/** The distinct texts of one part, and the positions of the offers with each. */
interface PartColumn<Text> {
  /** The distinct texts. */
  texts: readonly Text[];
  /** Positions, grouped by text: those of `texts[code]` are from `starts[code]` to `starts[code + 1]`. */
  positions: Uint32Array;
  /** Where the positions of each text start. */
  starts: Uint32Array;
}

/** Numbers distinct values of a part. */
class PartBuilder<Value, Text> {
  readonly #part: Part<Value, Text>;
  readonly #codeOf = new Map<string, number>();
  readonly #texts: Text[] = [];
  readonly #counts: number[] = [];
  readonly #codes: number[] = [];

  constructor(part: Part<Value, Text>) {
    this.#part = part;
  }

  add(value: Value): void {
    const key = this.#part.keyOf(value);
    let code = this.#codeOf.get(key);
    if (code === undefined) {
      code = this.#texts.length;
      this.#codeOf.set(key, code);
      this.#texts.push(this.#part.textOf(value));
      this.#counts.push(0);
    }
    this.#counts[code] = present(this.#counts[code]) + 1;
    this.#codes.push(code);
  }

  build(): PartColumn<Text> {
    const starts = new Uint32Array(this.#texts.length + 1);
    for (const [code, count] of this.#counts.entries()) {
      starts[code + 1] = present(starts[code]) + count;
    }
    const next = starts.slice();
    const positions = new Uint32Array(this.#codes.length);
    for (const [position, code] of this.#codes.entries()) {
      const place = present(next[code]);
      positions[place] = position;
      next[code] = place + 1;
    }
    return { texts: this.#texts, positions, starts };
  }
}

/** The distinct texts of each part of the offers. */
export interface SearchParts {
  /** Names of GPUs. */
  gpu: PartColumn<ReturnType<typeof gpuPart.textOf>>;
  /** Names of providers. */
  provider: PartColumn<ReturnType<typeof providerPart.textOf>>;
  /** Regions and cities. */
  place: PartColumn<ReturnType<typeof placePart.textOf>>;
  /** Deployment types and networks. */
  form: PartColumn<ReturnType<typeof formPart.textOf>>;
  /** The empty text stands for an unknown type. */
  type: PartColumn<ReturnType<typeof typePart.textOf>>;
}

interface IndexContent {
  size: number;
  parts: SearchParts;
  columns: ReadonlyMap<Column, Float64Array>;
  marks: ReadonlyMap<SearchMark, readonly number[]>;
}

/** Collects offers for a {@link SearchIndex}, so that a large catalog can be indexed in slices. */
export class SearchIndexBuilder {
  readonly #gpu = new PartBuilder(gpuPart);
  readonly #provider = new PartBuilder(providerPart);
  readonly #place = new PartBuilder(placePart);
  readonly #form = new PartBuilder(formPart);
  readonly #type = new PartBuilder(typePart);
  readonly #columns = FIELDS.map((field) => ({ field, values: [] as number[] }));
  readonly #marks = MARKS.map((mark) => ({ mark, positions: [] as number[] }));
  #size = 0;

  /** Adds an offer at the next position. */
  add(searched: Searched): void {
    this.#gpu.add(searched.offer);
    this.#provider.add(searched.offer);
    this.#place.add(searched.offer);
    this.#form.add(searched.offer);
    this.#type.add(searched.instanceType ?? "");
    for (const { field, values } of this.#columns) {
      values.push(field === "spot" ? searchedValue(searched, "priceHourly", SPOT) : searchedValue(searched, field));
    }
    for (const { mark, positions } of this.#marks) {
      if (hasMark(searched, mark)) {
        positions.push(this.#size);
      }
    }
    this.#size++;
  }

  /** The index of all that were added. */
  build(): SearchIndex {
    return new SearchIndex({
      size: this.#size,
      parts: {
        gpu: this.#gpu.build(),
        provider: this.#provider.build(),
        place: this.#place.build(),
        form: this.#form.build(),
        type: this.#type.build(),
      },
      columns: new Map(this.#columns.map(({ field, values }) => [field, Float64Array.from(values)])),
      marks: new Map(this.#marks.map(({ mark, positions }) => [mark, positions])),
    });
  }
}

/** An immutable index over offers or listings; a new catalog needs a new one. */
export class SearchIndex {
  /** Number of offers. */
  readonly size: number;
  /** Distinct texts of the offers. */
  readonly parts: SearchParts;
  readonly #columns: ReadonlyMap<Column, Float64Array>;
  readonly #marks: ReadonlyMap<SearchMark, PositionBits>;
  readonly #found = new WeakMap<SearchTerm, { plain?: PositionBits; spot?: PositionBits }>();

  constructor({ size, parts, columns, marks }: IndexContent) {
    this.size = size;
    this.parts = parts;
    this.#columns = columns;
    this.#marks = new Map(
      [...marks].map(([mark, positions]) => {
        const bits = noPositions(this.size);
        for (const position of positions) {
          addPosition(bits, position);
        }
        return [mark, bits];
      }),
    );
  }

  /** Builds the index in one pass over offers or listings. */
  static of(offers: Iterable<Searched>): SearchIndex {
    const builder = new SearchIndexBuilder();
    for (const searched of offers) {
      builder.add(searched);
    }
    return builder.build();
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
    const numbers = this.#numbers(field, options);
    return positionsIn(bits)
      .map((position) => present(numbers[position]))
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
      case "mark":
        return present(this.#marks.get(term.mark));
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
        this.#addPart(bits, this.parts.gpu, gpu);
        this.#addPart(bits, this.parts.provider, provider);
        this.#addPart(bits, this.parts.place, place);
        this.#addPart(bits, this.parts.form, form);
        this.#addPart(bits, this.parts.type, type);
        return bits;
      }
    }
  }

  #addPart<Text>(
    bits: PositionBits,
    { texts, positions, starts }: PartColumn<Text>,
    test: ((text: Text) => boolean) | undefined,
  ): void {
    if (test === undefined) {
      return;
    }
    for (const [code, text] of texts.entries()) {
      if (test(text)) {
        for (const position of positions.subarray(starts[code], starts[code + 1])) {
          addPosition(bits, position);
        }
      }
    }
  }

  #compare(field: SearchField, holds: (value: number) => boolean, options: MatchOptions): PositionBits {
    const bits = noPositions(this.size);
    let position = 0;
    for (const value of this.#numbers(field, options)) {
      if (holds(value)) {
        addPosition(bits, position);
      }
      position++;
    }
    return bits;
  }

  /** The compared number of each offer. */
  #numbers(field: SearchField, { isSpot = false }: MatchOptions): Float64Array {
    const counts = this.#column("gpuCount");
    if (field === "totalVram") {
      return this.#column("vram").map((vramGb, position) => vramGb * present(counts[position]));
    }
    if (isSpot && field === "pricePerGpu") {
      return this.#column("spot").map((priceHourly, position) => priceHourly / present(counts[position]));
    }
    return this.#column(isSpot && field === "priceHourly" ? "spot" : field);
  }

  #column(column: Column): Float64Array {
    return present(this.#columns.get(column));
  }
}
