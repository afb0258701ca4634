import { memoized } from "../memoized.js";
import { SearchIndex } from "./search-index.js";
import { difference, hasPositions, intersection, type PositionBits } from "../position-bits.js";
import { SearchNames, type KnownImages } from "./search-names.js";
import { readWords, type SearchReading } from "./search-grammar.js";
import { nearestName, respelledText } from "./search-slips.js";
import { lettersAndDigits } from "./provider-names.js";
import { COMPLETED, MODELS, UNFINISHED } from "./search-phrases.js";
import { fold } from "./search-text.js";
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
    return this.#within === undefined ? found : intersection(found, this.#within);
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
  for (const reading of readings(text, finished, names, options)) {
    if (reading.terms.length === 0 || catalog.finds(reading.terms, reading.wishes.spot === true)) {
      return parsed(text, reading, catalog, []);
    }
  }
  return parsed(text, finished, catalog, unknownWords(text, finished, names));
}

/** A reading with what must be said of it: also limits that exclude nothing, or all that the others leave. */
function parsed(
  text: string,
  { terms, wishes, pieces: read }: SearchReading,
  catalog: SearchCatalog,
  unknown: readonly UnknownWord[],
): ParsedSearch {
  const pieces = read.map((piece): SearchPiece => ({
    ...piece,
    doubt: piece.doubt ?? doubtOfTerms(piece.terms, terms, catalog, wishes.spot === true),
  }));
  const isTold = (piece: SearchPiece): boolean =>
    piece.doubt !== undefined || lettersAndDigits(piece.as) !== lettersAndDigits(piece.text);
  return { text, terms, wishes, pieces, understood: pieces.filter(isTold), unknown };
}

const SPOT: SearchTerm = { kind: "spot" };
/** Of which an offer has one. */
const UNIQUE: ReadonlySet<SearchTerm["kind"]> = new Set(["gpu", "provider", "place"]);
/** What holds only where a source states it. */
const STATED: ReadonlySet<SearchTerm["kind"]> = new Set(["available", "verified", "host", "vetted"]);

function doubtOfTerms(
  own: readonly SearchTerm[],
  terms: readonly SearchTerm[],
  catalog: SearchCatalog,
  isSpot: boolean,
): string | undefined {
  const rest = terms.filter((term) => !own.includes(term));
  if (own.some(({ kind }) => kind === "spot")) {
    if (catalog.finds([], false) && !catalog.finds([SPOT], false)) {
      return "no offer here has one";
    }
    const isOnlySpot = catalog.finds(rest, false) && !catalog.finds(terms, true);
    return isOnlySpot ? "no offer here that matches the rest has one" : undefined;
  }
  const isOther = ({ kind }: SearchTerm): boolean => own.some((term) => term.kind === kind && UNIQUE.has(kind));
  if (rest.some(isOther) && catalog.finds(own, isSpot) && !catalog.finds([...own, ...rest.filter(isOther)], isSpot)) {
    return 'nothing is both; "or" between them means either';
  }
  const isStated = own.some(({ kind }) => STATED.has(kind));
  if (isStated && catalog.finds(rest, isSpot) && !catalog.finds(terms, isSpot)) {
    return "no offer here that matches the rest is known to be";
  }
  if (own.length === 0 || !own.every(({ kind }) => kind === "compare")) {
    return undefined;
  }
  const others = catalog.find(rest, isSpot);
  if (!hasPositions(others)) {
    return undefined;
  }
  const left = catalog.find(own, isSpot);
  if (!hasPositions(intersection(others, left))) {
    return "it excludes everything";
  }
  // A disk also changes prices.
  const isLimit = own.some((term) => term.kind === "compare" && term.operator !== "=" && term.field !== "disk");
  return isLimit && !hasPositions(difference(others, left)) ? "it excludes nothing" : undefined;
}

/** The readings of a text in order, each made when it is asked for; the finished one is the first. */
function* readings(
  text: string,
  finished: SearchReading,
  names: SearchNames,
  { cursor, takesSlips = false }: SearchOptions,
): Generator<SearchReading> {
  yield finished;
  if (finished.pieces.length > 0) {
    yield readWords(text, names, { asTypes: true });
  }
  if (cursor !== undefined) {
    const openWord = wordAt(text, cursor);
    if (openWord !== undefined) {
      yield readWords(text, names, { openWord });
      const completed = completedText(text, openWord, names);
      if (completed !== undefined) {
        yield readWords(completed, names);
      }
    }
    const rest = withoutUnfinishedLimit(text, cursor);
    if (rest !== undefined) {
      yield readWords(rest, names);
    }
  }
  const respelled = takesSlips ? respelledText(text, finished, names) : undefined;
  if (respelled !== undefined) {
    const reading = readWords(respelled.text, names);
    yield { ...reading, pieces: asTyped(text, reading.pieces, respelled.slips) };
  }
}

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

/** The text with the phrase or name that the words up to `lastWord` begin; undefined if there is none. */
function completedText(text: string, lastWord: number, names: SearchNames): string | undefined {
  const words = splitWords(text);
  const last = words[lastWord];
  if (last === undefined) {
    return undefined;
  }
  for (let first = Math.max(0, lastWord - 2); first <= lastWord; first++) {
    const part = words.slice(first, lastWord + 1);
    const typed = part.map(({ key }) => key).join(" ");
    const isPhrase = part.every(
      ({ kind, hasComma, isGlued }, index) => kind === "word" && (index === part.length - 1 || !(hasComma || isGlued)),
    );
    const begun = [...COMPLETED, ...names.all].find(
      (name) => name.length > typed.length && fold(name).startsWith(typed),
    );
    if (isPhrase && typed.length >= 2 && begun !== undefined) {
      return text.slice(0, part[0]?.start) + begun + text.slice(last.end);
    }
  }
  return undefined;
}

/** A sign without its number, or the first number of a range. */
const unfinishedSign = /(?<=^|\s)(?:[a-z]*[<>=≤≥]+\$?|\$|\$?[\d.]+-\$?|between\s+\S+(?:\s+an?d?(?:\s+\$)?)?)\s*$/i;

/** The text without a limit at its end whose number is still to come; undefined if it doesn't end so. */
function withoutUnfinishedLimit(text: string, cursor: number): string | undefined {
  const end = text.trimEnd();
  if (cursor < end.length) {
    return undefined;
  }
  const sign = unfinishedSign.exec(end);
  const before = sign === null ? end : end.slice(0, sign.index).trimEnd();
  const words = splitWords(before);
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const part = words.slice(-count);
    const typed = part.map(({ key }) => key).join(" ");
    const isBegun = UNFINISHED.some((limit) => limit === typed || (sign === null && limit.startsWith(typed)));
    if (isBegun && part.every(({ kind }) => kind === "word")) {
      const rest = before.slice(0, part[0]?.start);
      // "without n": both words are still to come.
      return withoutUnfinishedLimit(rest, rest.length) ?? rest;
    }
  }
  return sign === null ? undefined : before;
}

/** Maximum number of unknown words that are reported: each takes a look at all names of the catalog. */
const MAX_UNKNOWN = 5;

function unknownWords(text: string, { texts }: SearchReading, names: SearchNames): UnknownWord[] {
  const words = splitWords(text);
  const unknown: UnknownWord[] = [];
  for (const [at, term] of texts) {
    if (unknown.length === MAX_UNKNOWN) {
      break;
    }
    if (!names.has(term)) {
      const word = words[at]?.text ?? "";
      const near = names.near.find(word);
      const nearest = near.length > 0 ? near : [nearestName(word, names) ?? []].flat();
      unknown.push({ text: word, nearest: nearest.filter((name) => name !== word.toLowerCase()) });
    }
  }
  return unknown;
}

const MODEL_NAME = new RegExp(`^(?:${MODELS})`, "i");

/** A word that no name contains, with what is said of it: the nearest names, or how it is written. */
export function unknownUnderstood({ text, nearest }: UnknownWord): Understood {
  if (MODEL_NAME.test(text)) {
    return { text, as: "unknown; write a model with its size, such as llama 70b", nearest: [] };
  }
  return { text, as: nearest.length === 0 ? "unknown" : `unknown; did you mean ${nearest.join(", ")}?`, nearest };
}
