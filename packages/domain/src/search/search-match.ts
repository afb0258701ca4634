import { escapeRegExp } from "../text/escape-reg-exp.js";
import { memoized } from "../memoized.js";
import { MAX_NAME_LENGTH } from "../image/image-filter.js";
import { isOnSale } from "../offer/availability.js";
import { storageOf } from "../offer/storage.js";
import { providerKey } from "../provider/provider-key.js";
import { placesCalled } from "./place-names.js";
import { canonical, fold, type PartTexts, type SearchText } from "./search-text.js";
import type { Searched, SearchField, SearchOperator, SearchTerm } from "./search-term.js";

// Holds terms against offers. A term that is no comparison is decided by one part of an offer alone (its GPU, provider,
// place, form or instance type): thousands of offers share a part, so an index decides it once for each.

/** How terms are read. */
export interface MatchOptions {
  /** Whether prices are spot prices; then an offer without one matches no comparison of prices. */
  isSpot?: boolean;
}

/** Tests of the parts of an offer. An offer matches if one of its parts does. */
export type PartTests = { [Part in keyof PartTexts]?: (text: PartTexts[Part]) => boolean };

type CompareTerm = Extract<SearchTerm, { kind: "compare" }>;
type SearchMark = Extract<
  SearchTerm,
  { kind: "nvlink" | "available" | "spot" | "verified" | "host" | "vetted" }
>["kind"];

/** A term as tests: of parts, of facts, or of other terms. */
export type CompiledTerm =
  | { kind: "parts"; tests: PartTests }
  | { kind: "compare"; compare: CompareTerm }
  | { kind: "mark"; mark: SearchMark }
  | { kind: "all" | "any"; terms: readonly CompiledTerm[] }
  | { kind: "not"; term: CompiledTerm };

const compiledTerms = new WeakMap<SearchTerm, CompiledTerm>();

/** Compiles a term, once; many offers can then be tested with it. */
export function compileTerm(term: SearchTerm): CompiledTerm {
  return memoized(compiledTerms, term, () => compile(term));
}

const byParts = (tests: PartTests): CompiledTerm => ({ kind: "parts", tests });

function compile(term: SearchTerm): CompiledTerm {
  switch (term.kind) {
    case "all":
    case "any":
      return { kind: term.kind, terms: term.terms.map(compileTerm) };
    case "not":
      return { kind: "not", term: compileTerm(term.term) };
    case "number": {
      const { value } = term;
      const isOfGpu = byParts({ gpu: ({ gpu, numbers }) => gpu.vramGB === value || numbers.has(value) });
      return {
        kind: "any",
        terms: [compileTerm({ kind: "compare", field: "gpuCount", operator: "=", value }), isOfGpu],
      };
    }
    case "compare":
      return { kind: "compare", compare: term };
    case "gpu": {
      const slugs = new Set(term.slugs);
      return byParts({ gpu: ({ gpu }) => slugs.has(gpu.slug) });
    }
    case "provider":
      return byParts({ provider: ({ key }) => term.keys.includes(key) });
    case "place": {
      const wanted = new Set(term.codes);
      const pattern = term.name === undefined ? undefined : placeNamed(term.name);
      return byParts({
        place: ({ placeCodes, local }) => placeCodes.some((code) => wanted.has(code)) || pattern?.test(local) === true,
      });
    }
    case "type": {
      const wanted = fold(canonical(term.text));
      const isWhole = term.isWhole === true || isTooLong(term.text);
      const pattern = isWhole ? undefined : wordPattern(wanted, false);
      return byParts({ type: ({ folded }) => pattern?.test(folded) ?? folded === wanted });
    }
    case "image":
      return byParts({ provider: ({ name }) => term.providers.includes(name) });
    case "deployment": {
      const types = new Set(term.types.map((type) => fold(canonical(type))));
      return byParts({ form: ({ codes }) => types.has(codes) });
    }
    case "word":
      return byParts(isTooLong(term.text) ? {} : wordTests(term.text, term.isOpen === true));
    case "phrase": {
      const test = isTooLong(term.text) ? () => false : phraseTest(term.text, term.isOpen === true);
      return byParts({ gpu: test, provider: test, place: test, form: test, type: test });
    }
    case "nvlink":
    case "available":
    case "spot":
    case "verified":
    case "host":
    case "vetted":
      return { kind: "mark", mark: term.kind };
  }
}

function isTooLong(text: string): boolean {
  return text.length > MAX_NAME_LENGTH;
}

const WORD_START = String.raw`(?<![\p{L}\p{N}])`;
const WORD_END = String.raw`(?![\p{L}\p{N}])`;

/** A name of a place, after which a region may have a number: us-east, us-east-1, us-east1-a. */
function placeNamed(name: string): RegExp {
  return new RegExp(`${wholeWordsSource(name, true)}(?!\\p{L}${/\d$/.test(name) ? "|\\p{N}" : ""})`, "u");
}

function wholeWords(text: string, isOpen = false): RegExp {
  return new RegExp(wholeWordsSource(text, isOpen), "u");
}

/** The source of a pattern of whole words; open ones may end within a word. */
export function wholeWordsSource(text: string, isOpen = false): string {
  return `${WORD_START}${escapeRegExp(text)}${isOpen ? "" : WORD_END}`;
}

/**
 * A word matches anywhere in a name, except that one with a digit or with fewer than four letters must start where a word
 * of the name starts (`ada` is not Canada), and that numbers only match whole. Two letters match the code of a country or
 * continent, the start of a GPU's or a provider's name, or a word of it (`ti`). Any name of a provider means it (`amazon`).
 * A word with an upper-case letter is case-sensitive (smart case); codes and names of providers never are. An open word
 * may end within a number.
 */
function wordTests(word: string, isOpen: boolean): PartTests {
  const clean = canonical(word);
  const isCased = clean !== clean.toLowerCase();
  const folded = fold(clean);
  if (/^[a-z]{2}$/.test(folded) && !isOpen) {
    return twoLetterTests(folded);
  }
  const place = placesCalled(folded);
  // Most words are of few parts: patterns are compiled when a part asks for them.
  let inFolded: RegExp | undefined;
  let inNames: RegExp | undefined;
  const key = providerKey(clean);
  const test = ({ names, folded: foldedNames, codes }: SearchText): boolean => {
    inFolded ??= wordPattern(folded, isOpen);
    if (!isCased || isOpen) {
      return inFolded.test(foldedNames);
    }
    inNames ??= wordPattern(clean, isOpen);
    return inNames.test(names) || inFolded.test(codes);
  };
  return {
    gpu: test,
    provider: (text) => text.key === key || test(text),
    place: (text) => test(text) || (place !== undefined && text.placeCodes.some((code) => place.has(code))),
    form: test,
    type: test,
  };
}

function twoLetterTests(letters: string): PartTests {
  // Any two letters may be the code of a country.
  const codes = placesCalled(letters) ?? new Set([letters]);
  const isHead = new RegExp(`^${letters}|${WORD_START}${letters}${WORD_END}`, "mu");
  const test = ({ heads }: SearchText): boolean => isHead.test(heads);
  return { gpu: test, provider: test, place: ({ placeCodes }) => placeCodes.some((code) => codes.has(code)) };
}

function wordPattern(word: string, isOpen: boolean): RegExp {
  return new RegExp(wordSource(word, isOpen), "u");
}

/**
 * The source of a pattern of a word in names: there may be a space between its characters, but not within a number; between
 * two numbers there must be.
 */
export function wordSource(word: string, isOpen = false): string {
  const characters = Array.from(word.replaceAll(/(?<!\d) | (?!\d)/g, ""), escapeRegExp);
  const source = characters
    .join(" ?")
    .replaceAll(/(?<=\d) \?(?=\d)/g, "")
    .replaceAll(" ?  ?", " ");
  const end = /\d$/.test(word) && !isOpen ? String.raw`(?!\d)` : "";
  return `${startOf(word, isOpen)}${source}${end}`;
}

function startOf(word: string, isOpen: boolean): string {
  if (/^\d/.test(word)) {
    return String.raw`(?<!\d)`;
  }
  return isOpen || /\d/.test(word) || Array.from(word).length < 4 ? WORD_START : "";
}

function phraseTest(phrase: string, isOpen: boolean): (text: SearchText) => boolean {
  const clean = phrase.replaceAll(/\s+/g, " ");
  const isCased = clean !== clean.toLowerCase();
  const pattern = wholeWords(isCased ? clean : fold(clean), isOpen);
  return ({ phrases, foldedPhrases }) => pattern.test(isCased ? phrases : foldedPhrases);
}

/** Compares a number with a limit. Both are in the unit of the field. */
export const SEARCH_OPERATIONS: Readonly<Record<SearchOperator, (value: number, limit: number) => boolean>> = {
  "=": (value, limit) => value === limit,
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

/** What compares numbers of offers; one that is unknown is NaN, which matches nothing. */
export const SEARCHED_VALUES: Readonly<Record<SearchField, (searched: Searched, isSpot: boolean) => number>> = {
  gpuCount: ({ offer }) => offer.gpuCount,
  vram: ({ offer }) => offer.gpu.vramGB,
  totalVram: ({ offer }) => offer.gpu.vramGB * offer.gpuCount,
  // If the source does not state memory or processors, they are 0, which must not count as a small number.
  ram: ({ offer }) => offer.specs.ram || Number.NaN,
  vcpu: ({ offer }) => offer.specs.vcpu || Number.NaN,
  // By the rule of diskFor: one whose maximum is unknown may have any.
  disk: ({ offer }) => storageOf(offer).maxGb ?? Number.POSITIVE_INFINITY,
  pricePerGpu: (searched, isSpot) =>
    isSpot ? spotHourlyOf(searched) / searched.offer.gpuCount : searched.offer.pricePerGpu,
  priceHourly: (searched, isSpot) => (isSpot ? spotHourlyOf(searched) : searched.offer.priceHourly),
};

/** The spot price of the instance, USD per hour; NaN without one. */
function spotHourlyOf({ spot }: Searched): number {
  return spot?.kind === "price" ? spot.priceHourly : Number.NaN;
}

/** Whether an offer has a property. */
export const SEARCH_MARKS: Readonly<Record<SearchMark, (searched: Searched) => boolean>> = {
  nvlink: ({ offer }) => offer.nvlinkEnabled,
  available: isOnSale,
  spot: (searched) => !Number.isNaN(spotHourlyOf(searched)),
  verified: ({ verified }) => verified === true,
  host: ({ seller }) => seller === "host",
  vetted: ({ seller }) => seller === "cloud" || seller === "partner",
};
