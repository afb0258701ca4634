import { escapeRegExp } from "../text/escape-reg-exp.js";
import { MAX_NAME_LENGTH } from "../image/image-filter.js";
import { isDiskUnknown } from "../offer/storage.js";
import type { Offer } from "../offer/offer-schema.js";
import { placesCalled } from "./place-names.js";
import { providerKey } from "../provider/provider-key.js";
import {
  canonical,
  fold,
  offerTextsOf,
  typeTextOf,
  type GpuText,
  type PlaceText,
  type ProviderText,
  type SearchText,
} from "./search-text.js";
import type { Searched, SearchField, SearchOperator, SearchTerm } from "./search-term.js";

// Holds terms against offers. A term that is no comparison is decided by one part of an offer alone (its GPU, provider,
// place, form or instance type), so that an index decides it once for each distinct part: see PartTests.

/** Tests of the parts of an offer. An offer matches if one of its parts does. */
interface PartTests {
  gpu?: (text: GpuText) => boolean;
  provider?: (text: ProviderText) => boolean;
  place?: (text: PlaceText) => boolean;
  form?: (text: SearchText) => boolean;
  type?: (text: SearchText) => boolean;
}

/** The largest disk of an offer in GB, by the rule of pricedDisk: one with unknown disks may have any. */
function maxDiskOf(offer: Offer): number {
  return isDiskUnknown(offer) ? Number.POSITIVE_INFINITY : offer.storageMaxGB;
}

/** How terms are read. */
export interface MatchOptions {
  /** Whether prices are spot prices; then an offer without one matches no comparison of prices. */
  isSpot?: boolean;
}

/** A term that compares a number. */
type CompareTerm = Extract<SearchTerm, { kind: "compare" }>;
/** A term that is a property of an offer. */
export type SearchMark = Extract<SearchTerm, { kind: "nvlink" | "available" | "spot" }>["kind"];

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
  const compiled = compiledTerms.get(term) ?? compile(term);
  compiledTerms.set(term, compiled);
  return compiled;
}

function compile(term: SearchTerm): CompiledTerm {
  switch (term.kind) {
    case "all":
    case "any":
      return { kind: term.kind, terms: term.terms.map(compileTerm) };
    case "not":
      return { kind: "not", term: compileTerm(term.term) };
    case "number": {
      const { value } = term;
      return {
        kind: "any",
        terms: [
          { kind: "compare", compare: { kind: "compare", field: "gpuCount", operator: "=", value } },
          { kind: "parts", tests: { gpu: ({ gpu, numbers }) => gpu.vramGB === value || numbers.has(value) } },
        ],
      };
    }
    case "compare":
      return { kind: "compare", compare: term };
    case "nvlink":
    case "available":
    case "spot":
      return { kind: "mark", mark: term.kind };
    case "gpu":
    case "provider":
    case "place":
    case "type":
    case "image":
    case "deployment":
    case "word":
    case "phrase":
      return { kind: "parts", tests: partTests(term) };
  }
}

type PartTerm = Extract<
  SearchTerm,
  { kind: "gpu" | "provider" | "place" | "type" | "image" | "deployment" | "word" | "phrase" }
>;

function partTests(term: PartTerm): PartTests {
  switch (term.kind) {
    case "gpu": {
      const slugs = new Set(term.slugs);
      return { gpu: ({ gpu }) => slugs.has(gpu.slug) };
    }
    case "provider":
      return { provider: ({ key }) => term.keys.includes(key) };
    case "place":
      return { place: placeTest(term.codes, term.name) };
    case "type": {
      const wanted = fold(canonical(term.text));
      if (term.isWhole === true || isTooLong(term.text)) {
        return { type: ({ folded }) => folded === wanted };
      }
      const pattern = wordPattern(wanted, false);
      return { type: ({ folded }) => pattern.test(folded) };
    }
    case "image":
      return { provider: ({ name }) => term.providers.includes(name) };
    case "deployment": {
      const types = new Set(term.types.map((type) => fold(canonical(type))));
      return { form: ({ codes }) => types.has(codes) };
    }
    case "word":
      return isTooLong(term.text) ? {} : wordTests(term.text, term.isOpen === true);
    case "phrase": {
      const test = isTooLong(term.text) ? () => false : phraseTest(term.text, term.isOpen);
      return { gpu: test, provider: test, place: test, form: test, type: test };
    }
  }
}

function isTooLong(text: string): boolean {
  return text.length > MAX_NAME_LENGTH;
}

function placeTest(codes: readonly string[], name: string | undefined): (text: PlaceText) => boolean {
  const wanted = new Set(codes);
  const pattern =
    name === undefined ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(name)}(?![\\p{L}\\p{N}])`, "u");
  return ({ placeCodes, local }) => placeCodes.some((code) => wanted.has(code)) || pattern?.test(local) === true;
}

/** Compares a number with a limit. Both are in the unit of the field. */
export const SEARCH_OPERATIONS: Readonly<Record<SearchOperator, (value: number, limit: number) => boolean>> = {
  "=": (value, limit) => value === limit,
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

/** The compared number of an offer; NaN if it is unknown, which matches nothing. */
export function searchedValue(searched: Searched, field: SearchField, { isSpot = false }: MatchOptions = {}): number {
  const { offer } = searched;
  switch (field) {
    case "gpuCount":
      return offer.gpuCount;
    case "vram":
      return offer.gpu.vramGB;
    case "totalVram":
      return offer.gpu.vramGB * offer.gpuCount;
    // If the source does not state memory or processors, they are 0, which must not count as a small number.
    case "ram":
      return offer.specs.ram === 0 ? Number.NaN : offer.specs.ram;
    case "vcpu":
      return offer.specs.vcpu === 0 ? Number.NaN : offer.specs.vcpu;
    case "disk":
      return maxDiskOf(offer);
    case "pricePerGpu":
      return isSpot ? spotHourlyOf(searched) / offer.gpuCount : offer.pricePerGpu;
    case "priceHourly":
      return isSpot ? spotHourlyOf(searched) : offer.priceHourly;
  }
}

/** The spot price of the instance, USD per hour; NaN without one. */
function spotHourlyOf({ spot }: Searched): number {
  return spot?.kind === "price" ? spot.priceHourly : Number.NaN;
}

/** Whether an offer has a property. */
export function hasMark(searched: Searched, mark: SearchMark): boolean {
  switch (mark) {
    case "nvlink":
      return searched.offer.nvlinkEnabled;
    case "available":
      return searched.offer.isAvailable;
    case "spot":
      return !Number.isNaN(spotHourlyOf(searched));
  }
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
  let patterns: { inFolded: RegExp; inNames: RegExp } | undefined;
  const compiled = (): { inFolded: RegExp; inNames: RegExp } => {
    const inFolded = wordPattern(folded, isOpen);
    return { inFolded, inNames: isCased ? wordPattern(clean, isOpen) : inFolded };
  };
  const key = providerKey(clean);
  const test = ({ names, folded: foldedNames, codes }: SearchText): boolean => {
    const { inFolded, inNames } = (patterns ??= compiled());
    return isCased && !isOpen ? inNames.test(names) || inFolded.test(codes) : inFolded.test(foldedNames);
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
  const isHead = new RegExp(`^${letters}|(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, "mu");
  const test = ({ heads }: SearchText): boolean => isHead.test(heads);
  return { gpu: test, provider: test, place: ({ placeCodes }) => placeCodes.some((code) => codes.has(code)) };
}

function wordPattern(word: string, isOpen: boolean): RegExp {
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
  const end = isDigit(word.at(-1) ?? "") && !isOpen ? "(?!\\d)" : "";
  return new RegExp(`${startOf(word, isOpen)}${source.join("")}${end}`, "u");
}

/** Whether the space after a character separates two numbers. */
function isDigitGap(characters: readonly string[], index: number): boolean {
  return isDigit(characters[index] ?? "") && isDigit(characters[index + 2] ?? "");
}

function startOf(word: string, isOpen: boolean): string {
  if (isDigit(word.charAt(0))) {
    return "(?<!\\d)";
  }
  return isOpen || /\d/.test(word) || Array.from(word).length < 4 ? "(?<![\\p{L}\\p{N}])" : "";
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

/**
 * Whether an offer matches terms that must all hold, for testing many offers. Tests of parts are memoized, because many
 * offers share a part.
 */
export function compileTerms(
  terms: readonly SearchTerm[],
  options: MatchOptions = {},
): (searched: Searched) => boolean {
  const tests = terms.map((term) => offerTest(compileTerm(term), options));
  return (searched) => tests.every((holds) => holds(searched));
}

function offerTest(term: CompiledTerm, options: MatchOptions): (searched: Searched) => boolean {
  switch (term.kind) {
    case "compare": {
      const { field, operator, value } = term.compare;
      const holds = SEARCH_OPERATIONS[operator];
      return (searched) => holds(searchedValue(searched, field, options), value);
    }
    case "mark":
      return (searched) => hasMark(searched, term.mark);
    case "all": {
      const tests = term.terms.map((part) => offerTest(part, options));
      return (searched) => tests.every((holds) => holds(searched));
    }
    case "any": {
      const tests = term.terms.map((part) => offerTest(part, options));
      return (searched) => tests.some((holds) => holds(searched));
    }
    case "not": {
      const test = offerTest(term.term, options);
      return (searched) => !test(searched);
    }
    case "parts":
      return partsTest(term.tests);
  }
}

function partsTest({ gpu, provider, place, form, type }: PartTests): (searched: Searched) => boolean {
  const [ofGpu, ofProvider, ofPlace, ofForm, ofType] = [
    memoized(gpu),
    memoized(provider),
    memoized(place),
    memoized(form),
    memoized(type),
  ];
  return ({ offer, instanceType }) => {
    const texts = offerTextsOf(offer);
    return (
      ofGpu(texts.gpu) ||
      ofProvider(texts.provider) ||
      ofPlace(texts.place) ||
      ofForm(texts.form) ||
      (instanceType !== undefined && instanceType !== null && ofType(typeTextOf(instanceType)))
    );
  };
}

function memoized<Text extends object>(test: ((text: Text) => boolean) | undefined): (text: Text) => boolean {
  if (test === undefined) {
    return () => false;
  }
  const decided = new WeakMap<Text, boolean>();
  return (text) => {
    let holds = decided.get(text);
    if (holds === undefined) {
      holds = test(text);
      decided.set(text, holds);
    }
    return holds;
  };
}
