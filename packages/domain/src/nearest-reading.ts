import { nearNames } from "./near-names.js";
import { compileSearch, compileTerms, searchedValue } from "./offer-search.js";
import type { Offer } from "./offer-schema.js";
import { fold } from "./search-text.js";
import { FIELD_NAMES, parseSearch, type SearchTerm, type SearchWord } from "./search-words.js";

// Suggestions for searches without matches.

/** A similar search, and its number of matches. */
export interface Reading {
  text: string;
  count: number;
}

/** Maximum number of suggestions. */
const MAX_READINGS = 3;

/** Maximum length of a text with suggestions, in characters. */
const MAX_TEXT_LENGTH = 200;

/** Maximum number of searches tried, so that suggestions are fast with many offers. */
const MAX_TRIES = 24;

/** The first of {@link nearestReadings}; undefined if there is none. */
export function nearestReading(offers: readonly Offer[], text: string): Reading | undefined {
  return nearestReadings(offers, text)[0];
}

/**
 * The nearest searches with matches, nearest first; none if the text itself has matches. Limits in words become operators
 * (`under 2`, `$2`). A word that matches no offer is replaced by the nearest word that does, or its limit by the nearest existing
 * value; then words are dropped. A text of more than 200 characters has none.
 */
export function nearestReadings(offers: readonly Offer[], text: string): Reading[] {
  if (text.length > MAX_TEXT_LENGTH) {
    return [];
  }
  const words = parseSearch(text);
  if (words.length === 0 || offers.some(compileSearch(text))) {
    return [];
  }
  const written = withLimits(text.trim());
  if (written !== text.trim()) {
    const count = countOf(offers, written);
    return count > 0 ? [{ text: written, count }] : nearestReadings(offers, written);
  }
  const lone = words.map(({ term }) => !offers.some(compileTerms([term])));
  const vocabulary = lone.includes(true) ? vocabularyOf(offers) : [];
  const spelled = words.map((word, index) =>
    lone[index] === true ? spellings(word, offers, vocabulary) : [word.source],
  );
  const tries = new Set([...respelled(words, spelled), ...relaxed(words, offers), ...shortened(words, spelled)]);
  const readings: Reading[] = [];
  for (const candidate of [...tries].slice(0, MAX_TRIES)) {
    const count = countOf(offers, candidate);
    if (count > 0 && candidate !== text.trim()) {
      readings.push({ text: candidate, count });
    }
    if (readings.length === MAX_READINGS) {
      break;
    }
  }
  return readings;
}

function countOf(offers: readonly Offer[], text: string): number {
  const search = compileSearch(text);
  return offers.reduce((sum, offer) => sum + (search(offer) ? 1 : 0), 0);
}

/** Limits as people say them, and their operators. */
const LIMIT_PHRASES: readonly (readonly [RegExp, string])[] = [
  [/(?<=^|\s)(?:under|below)\s+(?=[$.]?\d)/gi, "<"],
  [/(?<=^|\s)max\s+(?=[$.]?\d)/gi, "<="],
  // "< 3 usd"; then "$3" and "3 dollars", which have no operator.
  [/(?<=[<>]=?\s*)(\d+(?:\.\d+)?)\s?(?:usd|dollars?)(?=\s|$)/gi, "$1"],
  [
    /(?<=^|\s)(?:\$\s?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s?(?:\$|usd|dollars?))(?:\s?\/\s?h(?:r|our)?)?(?=\s|$)/gi,
    "<=$1$2",
  ],
  [/(?<=^|\s)(\d+)\s*(?:gi?b?|(ti?b?))\+?\s+(?:ram|memory)(?=\s|$)/gi, "ram>=$1$2"],
];

/** The text with operators in place of words: `under 2` is `<2`, `128 gb ram` is `ram>=128`. */
function withLimits(text: string): string {
  return LIMIT_PHRASES.reduce((written, [spoken, operator]) => written.replaceAll(spoken, operator), text);
}

/** Replaces every word without matches by its nearest spellings, and keeps the others. */
function respelled(words: readonly SearchWord[], spelled: readonly (readonly string[])[]): string[] {
  if (spelled.some((spellingsOfWord) => spellingsOfWord.length === 0)) {
    return [];
  }
  const most = Math.max(...spelled.map(({ length }) => length));
  return Array.from({ length: most }, (_, place) =>
    words.map(({ source }, index) => spelled[index]?.[place] ?? spelled[index]?.[0] ?? source).join(" "),
  );
}

/** The search with the limit of one word moved to the nearest value among the offers that fit the others. */
function relaxed(words: readonly SearchWord[], offers: readonly Offer[]): string[] {
  return words.flatMap((word, index) => {
    const others = words.filter((_, place) => place !== index);
    const limit = nearestLimit(word.term, offers.filter(compileTerms(others.map(({ term }) => term))));
    return limit === undefined ? [] : [words.map(({ source }, place) => (place === index ? limit : source)).join(" ")];
  });
}

/** Drops the words without matches, then each of the others, last first: earlier words are more important. */
function shortened(words: readonly SearchWord[], spelled: readonly (readonly string[])[]): string[] {
  const known = words.flatMap((_, index) => spelled[index]?.[0] ?? []);
  const parts = known.map((_, index) => known.toSpliced(known.length - 1 - index, 1));
  return [known, ...parts].filter((part) => part.length > 0).map((part) => part.join(" "));
}

/** Other spellings of a word that matches no offer. */
function spellings({ source, term }: SearchWord, offers: readonly Offer[], vocabulary: readonly string[]): string[] {
  const inAnyCase = source.toLowerCase() === source ? [] : [source.toLowerCase()];
  const limit = nearestLimit(term, offers);
  return [
    ...inAnyCase.filter((spelling) => offers.some(compileSearch(spelling))),
    ...(limit === undefined ? [] : [limit]),
    // "24+" leaves open whether GPUs or gigabytes are counted.
    ...(/^\d+\+$/.test(source) ? [`${source.slice(0, -1)}g+`, `${source.slice(0, -1)}x+`] : []),
    ...nearWords(term, vocabulary),
  ];
}

function nearWords(term: SearchTerm, vocabulary: readonly string[]): string[] {
  switch (term.kind) {
    case "word":
    case "phrase":
      return nearNames(fold(term.text), vocabulary);
    case "number":
      return nearNames(String(term.value), vocabulary);
    case "all": {
      const [count, name] = term.terms;
      if (count?.kind !== "compare" || count.field !== "gpuCount" || name === undefined) {
        return term.terms.flatMap((part) => nearWords(part, vocabulary));
      }
      return nearWords(name, vocabulary).map((word) => `${count.value}x${word}`);
    }
    case "any":
      return term.terms.flatMap((part) => nearWords(part, vocabulary));
    case "compare":
    case "nvlink":
    case "not":
      return [];
  }
}

/** A name as typed; undefined for any other term. */
function writtenName(term: SearchTerm): string | undefined {
  return term.kind === "word" ? term.text : term.kind === "number" ? String(term.value) : undefined;
}

/** The limit that includes the nearest offers, as a word. */
function nearestLimit(term: SearchTerm, offers: readonly Offer[]): string | undefined {
  if (term.kind === "all") {
    // A count joined to a name: the nearest count that this name has.
    const [count, name] = term.terms;
    const named = name === undefined ? undefined : writtenName(name);
    const limit =
      count === undefined || name === undefined ? undefined : nearestLimit(count, offers.filter(compileTerms([name])));
    return named === undefined || limit?.endsWith("x") !== true ? undefined : `${limit}${named}`;
  }
  if (term.kind !== "compare") {
    return undefined;
  }
  const { field, value, operator } = term;
  // 0 means that the source does not state it.
  const values = offers.map((offer) => searchedValue(offer, field)).filter((known) => known > 0);
  if (values.length === 0) {
    return undefined;
  }
  if (operator === "=" && field === "vram") {
    // Less memory is not enough, and a single other size would be a guess.
    return values.some((known) => known > value) ? `${value}g+` : undefined;
  }
  const nearest = values.reduce((best, known) => (Math.abs(known - value) < Math.abs(best - value) ? known : best));
  if (operator === "=" && field === "gpuCount") {
    return `${nearest}x`;
  }
  const name = field === "pricePerGpu" && operator !== "=" ? "" : FIELD_NAMES[field];
  return `${name}${operator === "=" ? "=" : `${operator.charAt(0)}=`}${nearest}`;
}

/** Words with matches: names of GPUs and their families, providers, locations. */
function vocabularyOf(offers: readonly Offer[]): string[] {
  const words = new Set<string>();
  for (const { gpu, provider, region, regionInfo } of offers) {
    for (const text of [
      gpu.name,
      gpu.architecture,
      provider.name,
      region,
      regionInfo.countryName,
      regionInfo.cityState,
    ]) {
      const folded = fold(text);
      words.add(folded.replaceAll(/\s+/g, "-"));
      for (const word of folded.split(/[\s_-]+/)) {
        words.add(word);
      }
    }
  }
  words.delete("");
  return [...words];
}
