import { escapeRegExp } from "./escape-reg-exp.js";
import type { Offer } from "./offer-schema.js";
import { placesCalled } from "./place-names.js";
import { providerKey } from "./provider-key.js";
import { canonical, fold, searchTextOf, type SearchText } from "./search-text.js";
import {
  MAX_NAME_LENGTH,
  parseSearch,
  type SearchField,
  type SearchOperator,
  type SearchTerm,
} from "./search-words.js";

// Matches offers with search texts. The grammar is in search-words.ts.

/** Whether an offer matches. */
type OfferTest = (offer: Offer) => boolean;

/** A compiled search, for filters and for `Array.prototype.filter`. */
export interface OfferSearch {
  (offer: Offer): boolean;
  /** The search text. */
  text: string;
}

/**
 * Compiles a search text for matching many offers: it is parsed once, and results that depend only on an offer's texts are
 * computed once for all offers that share them.
 */
export function compileSearch(text: string): OfferSearch {
  const matches = compileTerms(parseSearch(text).map(({ term }) => term));
  return Object.assign((offer: Offer) => matches(offer), { text });
}

/** A search whose terms must all match. */
export function compileTerms(terms: readonly SearchTerm[]): OfferTest {
  const [first, ...others] = terms.map(compileTerm);
  if (first === undefined) {
    return () => true;
  }
  return others.length === 0 ? first : (offer) => first(offer) && others.every((holds) => holds(offer));
}

function compileTerm(term: SearchTerm): OfferTest {
  switch (term.kind) {
    case "word":
      return isTooLong(term.text) ? () => false : inText(wordTest(term.text));
    case "phrase":
      return isTooLong(term.text) ? () => false : inText(phraseTest(term.text, term.isOpen));
    case "number":
      return (offer) =>
        offer.gpuCount === term.value || offer.gpu.vramGB === term.value || searchTextOf(offer).numbers.has(term.value);
    case "compare":
      return comparison(term.field, term.operator, term.value);
    case "nvlink":
      return (offer) => offer.nvlinkEnabled;
    case "all":
      return compileTerms(term.terms);
    case "any": {
      const searches = term.terms.map(compileTerm);
      return (offer) => searches.some((holds) => holds(offer));
    }
    case "not": {
      const search = compileTerm(term.term);
      return (offer) => !search(offer);
    }
  }
}

/** Longer than any name. Regular expressions have a maximum size. */
function isTooLong(text: string): boolean {
  return text.length > MAX_NAME_LENGTH;
}

/** Memoizes results by texts, which many offers share. */
function inText(test: (text: SearchText) => boolean): OfferTest {
  const decided = new WeakMap<SearchText, boolean>();
  return (offer) => {
    const text = searchTextOf(offer);
    let holds = decided.get(text);
    if (holds === undefined) {
      holds = test(text);
      decided.set(text, holds);
    }
    return holds;
  };
}

const values: Readonly<Record<SearchField, (offer: Offer) => number>> = {
  gpuCount: (offer) => offer.gpuCount,
  vram: (offer) => offer.gpu.vramGB,
  totalVram: (offer) => offer.gpu.vramGB * offer.gpuCount,
  ram: (offer) => offer.specs.ram,
  vcpu: (offer) => offer.specs.vcpu,
  pricePerGpu: (offer) => offer.pricePerGpu,
  priceHourly: (offer) => offer.priceHourly,
};

/** The compared value of an offer; 0 if unknown. */
export function searchedValue(offer: Offer, field: SearchField): number {
  return values[field](offer);
}

const operations: Readonly<Record<SearchOperator, (value: number, limit: number) => boolean>> = {
  "=": (value, limit) => value === limit,
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

function comparison(field: SearchField, operator: SearchOperator, limit: number): OfferTest {
  const valueOf = values[field];
  const holds = operations[operator];
  // If the source does not state memory or processors, they are 0, which must not count as a small number.
  const mayBeUnknown = field === "ram" || field === "vcpu";
  return (offer) => {
    const value = valueOf(offer);
    return !(mayBeUnknown && value === 0) && holds(value, limit);
  };
}

/**
 * A word matches anywhere in a name, except that one with a digit or with fewer than four letters must start where a word
 * of the name starts (`ada` is not Canada), and that numbers only match whole. Two letters match the code of a country or
 * continent, the start of a GPU's or a provider's name, or a word of it (`ti`). Any name of a provider means it (`amazon`).
 * A word with an upper-case letter is case-sensitive (smart case); codes and names of providers never are.
 */
function wordTest(word: string): (text: SearchText) => boolean {
  const clean = canonical(word);
  const isCased = clean !== clean.toLowerCase();
  const folded = fold(clean);
  if (/^[a-z]{2}$/.test(folded)) {
    return twoLetterTest(folded);
  }
  const place = placesCalled(folded);
  const inFolded = wordPattern(folded);
  const inNames = wordPattern(clean);
  const key = providerKey(clean);
  return ({ names, folded: foldedNames, codes, places, provider }) =>
    provider === key ||
    (isCased ? inNames.test(names) || inFolded.test(codes) : inFolded.test(foldedNames)) ||
    (place !== undefined && places.some((code) => place.has(code)));
}

function twoLetterTest(letters: string): (text: SearchText) => boolean {
  // Any two letters may be the code of a country.
  const codes = placesCalled(letters) ?? new Set([letters]);
  const isHead = new RegExp(`^${letters}|(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, "mu");
  return ({ places, heads }) => places.some((code) => codes.has(code)) || isHead.test(heads);
}

function wordPattern(word: string): RegExp {
  const characters = Array.from(word);
  const source = characters.map((character, index) => {
    const next = characters[index + 1] ?? "";
    if (character === " ") {
      // Two numbers stay separate; elsewhere the space is optional.
      return isDigit(characters[index - 1] ?? "") && isDigit(next) ? " " : "";
    }
    const allowsGap =
      next !== "" && next !== " " ? !(isDigit(character) && isDigit(next)) : !isDigitGap(characters, index);
    return `${escapeRegExp(character)}${allowsGap && index < characters.length - 1 ? " ?" : ""}`;
  });
  return new RegExp(`${startOf(word)}${source.join("")}${isDigit(word.at(-1) ?? "") ? "(?!\\d)" : ""}`, "u");
}

/** Whether the space after a character separates two numbers. */
function isDigitGap(characters: readonly string[], index: number): boolean {
  return isDigit(characters[index] ?? "") && isDigit(characters[index + 2] ?? "");
}

function startOf(word: string): string {
  if (isDigit(word.charAt(0))) {
    return "(?<!\\d)";
  }
  return /\d/.test(word) || Array.from(word).length < 4 ? "(?<![\\p{L}\\p{N}])" : "";
}

function phraseTest(phrase: string, isOpen: boolean): (text: SearchText) => boolean {
  const clean = phrase.replaceAll(/\s+/g, " ");
  const isCased = clean !== clean.toLowerCase();
  const end = isOpen ? "" : "(?![\\p{L}\\p{N}])";
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(isCased ? clean : fold(clean))}${end}`, "u");
  return ({ phrases, foldedPhrases }) => pattern.test(isCased ? phrases : foldedPhrases);
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}
