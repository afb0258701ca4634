import { memoized } from "../memoized.js";
import { SearchIndex } from "./search-index.js";
import { hasPositions, type PositionBits } from "../position-bits.js";
import { SearchNames, type KnownImages } from "./search-names.js";
import { readWords, type SearchReading } from "./search-grammar.js";
import { completedText, withoutUnfinishedLimit } from "./search-typing.js";
import { respelledText } from "./search-slips.js";
import { lettersAndDigits } from "./provider-names.js";
import { splitWords } from "./search-words.js";
import type { Offer } from "../offer/offer-schema.js";
import {
  searchedOf,
  type ParsedSearch,
  type SearchField,
  type SearchPiece,
  type SearchTerm,
  type Understood,
  type UnknownWord,
} from "./search-term.js";

// Chooses between the readings of a search text: the finished one, and others only where it finds nothing.

/** The names and offers that searches are read for. */
export class SearchCatalog {
  /** Names that searches can use. */
  readonly names: SearchNames;
  readonly #index: SearchIndex;
  readonly #within: PositionBits | undefined;

  /**
   * @param images The images of providers, as far as they are known.
   * @param within The offers that other filters leave; readings are chosen among them.
   */
  constructor(
    index: SearchIndex,
    { images, within }: { images?: KnownImages; within?: PositionBits | undefined } = {},
  ) {
    this.names = new SearchNames(index.parts, images);
    this.#index = index;
    this.#within = within;
  }

  /** The offers that match all terms. */
  find(terms: readonly SearchTerm[], isSpot: boolean): PositionBits {
    const found = this.#index.find(terms, { isSpot });
    const within = this.#within;
    return within === undefined ? found : found.map((word, index) => word & (within[index] ?? 0));
  }

  /** Whether an offer matches all terms. */
  finds(terms: readonly SearchTerm[], isSpot: boolean): boolean {
    return hasPositions(this.find(terms, isSpot));
  }

  /** See {@link SearchIndex.values}. */
  values(field: SearchField, bits: PositionBits, isSpot: boolean): number[] {
    return this.#index.values(field, bits, { isSpot });
  }
}

/** A catalog without offers: only names that are known everywhere have a meaning. */
export const NO_CATALOG = new SearchCatalog(SearchIndex.of([]));

const catalogs = new WeakMap<readonly Offer[], SearchCatalog>();

/** The catalog of a list of offers, memoized for the lifetime of the list, which must not change. */
export function searchCatalogOf(offers: readonly Offer[]): SearchCatalog {
  return memoized(catalogs, offers, () => new SearchCatalog(SearchIndex.of(offers.map(searchedOf))));
}

/** How a text is read. Scripts and agents take the finished reading alone. */
export interface SearchOptions {
  /** Position of the cursor in a field: the word there may be incomplete. */
  cursor?: number | undefined;
  /** Whether the nearest name replaces a mistyped one. */
  takesSlips?: boolean | undefined;
}

/**
 * Reads a search text. Names that a catalog has win over words that occur in names; where that reading finds nothing, names
 * of GPUs may be instance types (`aws p4`), and in a field the word at the cursor may be incomplete, or a slip. If nothing
 * matches, it is the finished reading, with the unknown words.
 */
export function readSearch(text: string, catalog: SearchCatalog, options: SearchOptions = {}): ParsedSearch {
  const { names } = catalog;
  const finished = readWords(text, names);
  for (const reading of otherReadings(text, finished, names, options)) {
    const { terms, wishes, pieces } = reading();
    if (terms.length === 0 || catalog.finds(terms, wishes.spot === true)) {
      return { text, terms, wishes, ...toldOf(pieces, terms, catalog, wishes.spot === true), unknown: [] };
    }
  }
  const { terms, wishes, pieces } = finished;
  const told = toldOf(pieces, terms, catalog, wishes.spot === true);
  return { text, terms, wishes, ...told, unknown: unknownWords(text, finished, names) };
}

/** The pieces, and those of which something must be said: also limits that exclude nothing, or all that the others leave. */
function toldOf(
  read: readonly SearchPiece[],
  terms: readonly SearchTerm[],
  catalog: SearchCatalog,
  isSpot: boolean,
): Pick<ParsedSearch, "pieces" | "understood"> {
  const pieces = read.map((piece): SearchPiece => ({
    ...piece,
    doubt: piece.doubt ?? doubtOfTerms(piece.terms, terms, catalog, isSpot),
  }));
  const isTold = ({ text, as, doubt }: SearchPiece): boolean =>
    doubt !== undefined || lettersAndDigits(as) !== lettersAndDigits(text);
  return { pieces, understood: pieces.filter(isTold) };
}

const SPOT: SearchTerm = { kind: "spot" };

function doubtOfTerms(
  own: readonly SearchTerm[],
  terms: readonly SearchTerm[],
  catalog: SearchCatalog,
  isSpot: boolean,
): string | undefined {
  if (own.some(({ kind }) => kind === "spot")) {
    if (catalog.finds([], false) && !catalog.finds([SPOT], false)) {
      return "no offer here has one";
    }
    const rest = terms.filter((term) => !own.includes(term));
    const isOnlySpot = catalog.finds(rest, false) && !catalog.finds(terms, true);
    return isOnlySpot ? "no offer here that matches the rest has one" : undefined;
  }
  if (own.length === 0 || !own.every(({ kind }) => kind === "compare")) {
    return undefined;
  }
  const others = catalog.find(
    terms.filter((term) => !own.includes(term)),
    isSpot,
  );
  if (!hasPositions(others)) {
    return undefined;
  }
  const left = catalog.find(own, isSpot);
  const kept = others.map((word, index) => word & (left[index] ?? 0));
  if (!hasPositions(kept)) {
    return "it excludes everything";
  }
  const isLimit = own.some((term) => term.kind === "compare" && term.operator !== "=");
  return isLimit && kept.every((word, index) => word === others[index]) ? "it excludes nothing" : undefined;
}

/** The readings of a text in order, the finished one first. */
function* otherReadings(
  text: string,
  finished: SearchReading,
  names: SearchNames,
  { cursor, takesSlips = false }: SearchOptions,
): Generator<() => SearchReading> {
  yield () => finished;
  if (finished.hasTypeName) {
    yield () => readWords(text, names, { asTypes: true });
  }
  if (cursor !== undefined) {
    const openWord = wordAt(text, cursor);
    if (openWord !== undefined) {
      yield () => readWords(text, names, { openWord });
      const completed = completedText(text, openWord, names);
      if (completed !== undefined) {
        yield () => readWords(completed, names);
      }
    }
    const rest = withoutUnfinishedLimit(text, cursor);
    if (rest !== undefined) {
      yield () => readWords(rest, names);
    }
  }
  if (takesSlips) {
    const respelled = respelledText(text, finished, names);
    if (respelled !== undefined) {
      yield () => {
        const reading = readWords(respelled.text, names);
        return { ...reading, pieces: asTyped(text, reading.pieces, respelled.slips) };
      };
    }
  }
}

/** What was understood, with the words as they were typed. */
function asTyped(typed: string, pieces: readonly SearchPiece[], slips: readonly Understood[]): SearchPiece[] {
  let at = 0;
  return pieces.map((piece) => {
    const text = slips.reduce((written, slip) => written.replace(slip.as, slip.text), piece.text);
    const start = typed.indexOf(text, at);
    at = start + text.length;
    return { ...piece, text, start, end: at };
  });
}

/** Index of the word at the cursor or before it. */
function wordAt(text: string, cursor: number): number | undefined {
  const index = splitWords(text).findLastIndex(
    ({ kind, start, end }) => kind === "word" && start < cursor && cursor <= end,
  );
  return index < 0 ? undefined : index;
}

/** Maximum number of unknown words that are reported: each takes a look at all names of the catalog. */
const MAX_UNKNOWN = 5;

function unknownWords(text: string, { texts }: SearchReading, names: SearchNames): ParsedSearch["unknown"] {
  const words = splitWords(text);
  const unknown: UnknownWord[] = [];
  for (const [at, term] of texts) {
    if (unknown.length === MAX_UNKNOWN) {
      break;
    }
    if (!names.has(term)) {
      const word = words[at]?.text ?? "";
      unknown.push({ text: word, nearest: names.near.find(word) });
    }
  }
  return unknown;
}
