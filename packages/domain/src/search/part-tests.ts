import { escapeRegExp } from "../text/escape-reg-exp.js";
import { MAX_NAME_LENGTH } from "../image/image-filter.js";
import { placesCalled } from "./place-names.js";
import { providerKey } from "../provider/provider-key.js";
import { canonical, fold, type GpuText, type PlaceText, type ProviderText, type SearchText } from "./search-text.js";
import type { SearchTerm } from "./search-term.js";

// Terms as tests of the parts of an offer: its GPU, provider, place, form and instance type. Thousands of offers share a part,
// so an index decides a term once for each.

/** Tests of the parts of an offer. An offer matches if one of its parts does. */
export interface PartTests {
  gpu?: (text: GpuText) => boolean;
  provider?: (text: ProviderText) => boolean;
  place?: (text: PlaceText) => boolean;
  form?: (text: SearchText) => boolean;
  type?: (text: SearchText) => boolean;
}

/** A term that one part of an offer decides. */
export type PartTerm = Extract<
  SearchTerm,
  { kind: "gpu" | "provider" | "place" | "type" | "image" | "deployment" | "word" | "phrase" }
>;

/** The tests of a term. */
export function partTests(term: PartTerm): PartTests {
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
