import { memoized } from "../memoized.js";
import { editDistance } from "../text/near-names.js";
import type { SearchReading } from "./search-grammar.js";
import type { SearchNames } from "./search-names.js";
import { fold } from "./search-text.js";
import { COMPLETED } from "./search-phrases.js";
import { splitWords, type SearchWord } from "./search-words.js";
import type { Understood } from "./search-term.js";

// Mistyped names. Digits are part of what a name means, so a slip is in its letters alone; `l` or `I` for 1 and `o` for 0 look
// the same.

const MAX_SLIPS = 3;

const MAX_WORDS = 3;

/**
 * The text with the nearest names in place of words that no name contains, and these; undefined unless each has exactly one.
 */
export function respelledText(
  text: string,
  { texts }: SearchReading,
  names: SearchNames,
): { text: string; slips: readonly Understood[] } | undefined {
  const words = splitWords(text);
  const unknown: number[] = [];
  for (const [at, term] of texts) {
    // Each takes a look at all names.
    if (!names.has(term) && unknown.push(at) > MAX_SLIPS) {
      return undefined;
    }
  }
  const slips: Understood[] = [];
  let respelled = text;
  // From the last word to the first, so that positions stay.
  for (const at of unknown.toReversed()) {
    const slip = slipAround(at, words, names);
    if (slip === undefined) {
      return undefined;
    }
    slips.unshift({ text: text.slice(slip.start, slip.end), as: slip.as });
    respelled = respelled.slice(0, slip.start) + slip.as + respelled.slice(slip.end);
  }
  return unknown.length === 0 ? undefined : { text: respelled, slips };
}

/** The one name that the longest stretch of words with this one is near to. */
function slipAround(
  at: number,
  words: readonly SearchWord[],
  names: SearchNames,
): { start: number; end: number; as: string } | undefined {
  for (let length = MAX_WORDS; length > 0; length--) {
    for (let from = Math.max(0, at - length + 1); from <= at; from++) {
      const part = words.slice(from, from + length);
      const as = part.length < length ? undefined : nearestName(part.map(({ key }) => key).join(""), names);
      const [first, last] = [part[0], part.at(-1)];
      if (as !== undefined && first !== undefined && last !== undefined) {
        return { start: first.start, end: last.end, as };
      }
    }
  }
  return undefined;
}

/** Names that slips are taken for, with their letters. */
const knownByNames = new WeakMap<SearchNames, ReadonlyMap<string, string>>();

/** The one nearest name; undefined if there are none or several. */
export function nearestName(typed: string, names: SearchNames): string | undefined {
  const known = memoized(
    knownByNames,
    names,
    () => new Map([...COMPLETED, ...names.all].map((name) => [name, lookalikes(name)])),
  );
  const wanted = lookalikes(typed);
  const digits = digitsOf(wanted);
  const limit = wanted.length < 7 ? 1 : 2;
  let best = limit + 1;
  const found = new Map<string, string>();
  for (const [name, letters] of wanted.length < 4 ? [] : known) {
    const isNear =
      letters.length >= 4 &&
      Math.abs(letters.length - wanted.length) <= limit &&
      (/\d/.test(name) ? digitsOf(letters) === digits : !/[2-9]/.test(typed));
    // Another letter of a name such as H100 and T4 is another card.
    const isTaken = isNear && (letters === wanted || !/^[a-z]{1,2}\d+[a-z]?$/i.test(name));
    const distance = isTaken ? editDistance(wanted, letters, limit) : limit + 1;
    if (distance < best) {
      best = distance;
      found.clear();
    }
    if (distance === best && distance <= limit) {
      found.set(fold(name), name);
    }
  }
  const [only, ...others] = found.values();
  return others.length === 0 ? only : undefined;
}

/** Letters and digits, with one character for those that look alike. */
function lookalikes(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll(/[li]/g, "1")
    .replaceAll("o", "0");
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}
