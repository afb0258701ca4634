import { readSearch, type SearchCatalog } from "./read-search.js";
import { countPositions, hasPositions, type PositionBits } from "../position-bits.js";
import { fold } from "./search-text.js";
import { splitWords } from "./search-words.js";
import { withoutPiece, type ParsedSearch, type SearchField, type SearchTerm, type UnknownWord } from "./search-term.js";

// Suggestions for searches without matches: other spellings, a limit that something meets, and fewer words.

/** A similar search, and its number of matches. */
export interface NearSearch {
  /** The search. */
  text: string;
  /** Number of its matches. */
  count: number;
}

const MAX_SUGGESTIONS = 3;
/** Maximum number of searches tried, so that suggestions are fast with many offers. */
const MAX_TRIES = 24;
const MAX_TEXT_LENGTH = 200;

/** The nearest searches, nearest first, each with other matches; none if the text has some, or more than 200 characters. */
export function nearSearches(text: string, catalog: SearchCatalog): NearSearch[] {
  const parsed = text.length > MAX_TEXT_LENGTH ? undefined : readSearch(text, catalog);
  const find = ({ terms, wishes }: ParsedSearch): PositionBits => catalog.find(terms, wishes.spot === true);
  if (parsed === undefined || parsed.terms.length === 0 || hasPositions(find(parsed))) {
    return [];
  }
  const { unknown } = parsed;
  const tries = [...respelled(text, unknown), ...relaxed(text, parsed, catalog), ...shortened(text, unknown)];
  const found = new Map<string, NearSearch>();
  for (const candidate of [...new Set(tries)].slice(0, MAX_TRIES)) {
    if (candidate !== "" && found.size < MAX_SUGGESTIONS) {
      const matches = find(readSearch(candidate, catalog));
      const key = matches.join();
      if (hasPositions(matches) && !found.has(key)) {
        found.set(key, { text: candidate, count: countPositions(matches) });
      }
    }
  }
  return [...found.values()];
}

/** Texts that may have matches where a text has none, nearest first. Unlike {@link nearSearches} it needs no catalog. */
export function nearTexts(text: string, unknown: readonly UnknownWord[]): string[] {
  const texts = new Set([...respelled(text, unknown), ...shortened(text, unknown)]);
  texts.delete("");
  return [...texts];
}

/** The text with near names in place of words that no name contains. */
function respelled(text: string, unknown: readonly UnknownWord[]): string[] {
  return Array.from({ length: MAX_SUGGESTIONS }, (_, place) =>
    unknown.reduce(
      (written, { text: word, nearest }) => written.replace(word, fold(nearest[place] ?? nearest[0] ?? word)),
      text,
    ),
  ).filter((written) => written !== text);
}

/** The text with the limit of one word moved to the nearest value among the offers that match the rest. */
function relaxed(text: string, parsed: ParsedSearch, catalog: SearchCatalog): string[] {
  const isSpot = parsed.wishes.spot === true;
  return parsed.terms.flatMap((term) => {
    if (term.kind !== "compare") {
      return [];
    }
    const others = parsed.terms.filter((other) => other !== term);
    const nearest = nearestValue(term, catalog.values(term.field, catalog.find(others, isSpot), isSpot));
    const piece = parsed.pieces.find(({ terms }) => terms.length === 1 && terms[0] === term);
    return nearest === undefined || piece === undefined ? [] : [withoutPiece(text, piece, nearest)];
  });
}

const FIELD_NAMES: Partial<Record<SearchField, string>> = {
  gpuCount: "gpus",
  pricePerGpu: "price",
  priceHourly: "hourly",
};

/** The limit that the nearest offers meet, in its exact form. */
function nearestValue({ field, operator, value }: CompareTerm, values: readonly number[]): string | undefined {
  const known = values.filter((number) => number > 0 && Number.isFinite(number));
  if (operator === "=" && field === "vram") {
    // Less memory is not enough, and a single other size would be a guess.
    return known.some((number) => number > value) ? `vram>=${value}` : undefined;
  }
  if (known.length === 0) {
    return undefined;
  }
  const nearest = known.reduce((best, number) => (Math.abs(number - value) < Math.abs(best - value) ? number : best));
  return operator === "="
    ? `${nearest}x`
    : `${FIELD_NAMES[field] ?? field.toLowerCase()}${operator.charAt(0)}=${nearest}`;
}

type CompareTerm = Extract<SearchTerm, { kind: "compare" }>;

/** The text without unknown words, then without one word, last first: earlier words are more important. */
function shortened(text: string, unknown: readonly UnknownWord[]): string[] {
  const words = splitWords(text).filter(({ kind }) => kind === "word");
  const known = words.filter((word) => !unknown.some((other) => other.text === word.text));
  const isCut = unknown.length > 0 && known.length > 0;
  const withoutUnknown = isCut ? [known.map((word) => text.slice(word.start, word.end)).join(" ")] : [];
  const withoutOne = words
    .toReversed()
    .map(({ start, end }) => `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}`.trim());
  return [...withoutUnknown, ...withoutOne];
}
