import { memoized } from "../memoized.js";
import { editDistance } from "../text/near-names.js";
import type { SearchReading } from "./search-grammar.js";
import type { SearchNames } from "./search-names.js";
import { fold } from "./search-text.js";
import { COMPLETED } from "./search-table.js";
import { splitWords } from "./search-words.js";
import type { Understood } from "./search-term.js";

// Mistyped names. Digits are part of what a name means, so a slip is in its letters alone; `l` or `I` for 1 and `o` for 0 look
// the same.

/** Maximum number of mistyped names in a text. */
const MAX_SLIPS = 3;

/** Maximum number of words of a mistyped name. */
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
    const slip = windowsAround(at, words.length)
      .map(({ from, to }) => ({
        from,
        to,
        name: nearestName(
          words
            .slice(from, to)
            .map(({ key }) => key)
            .join(""),
          names,
        ),
      }))
      .find(({ name }) => name !== undefined);
    const [start, end] = [words[slip?.from ?? -1]?.start, words[(slip?.to ?? 0) - 1]?.end];
    if (slip?.name === undefined || start === undefined || end === undefined) {
      return undefined;
    }
    slips.unshift({ text: text.slice(start, end), as: slip.name });
    respelled = respelled.slice(0, start) + slip.name + respelled.slice(end);
  }
  return unknown.length === 0 ? undefined : { text: respelled, slips };
}

/** Stretches of words with this one, longest first. */
function windowsAround(at: number, count: number): { from: number; to: number }[] {
  const windows: { from: number; to: number }[] = [];
  for (let length = MAX_WORDS; length > 0; length--) {
    for (let from = at - length + 1; from <= at; from++) {
      if (from >= 0 && from + length <= count) {
        windows.push({ from, to: from + length });
      }
    }
  }
  return windows;
}

/** A name as it is compared. */
interface KnownName {
  name: string;
  letters: string;
  /** A name such as H100 and T4: another letter is another card. */
  isCode: boolean;
  /** Undefined for a name without digits. */
  digits: string | undefined;
}

const knownNames = new WeakMap<SearchNames, readonly KnownName[]>();

function knownNamesOf(names: SearchNames): readonly KnownName[] {
  return memoized(knownNames, names, () =>
    [...COMPLETED, ...names.all].map((name): KnownName => {
      const letters = lookalikes(name);
      return { name, letters, isCode: codePattern.test(name), digits: /\d/.test(name) ? digitsOf(letters) : undefined };
    }),
  );
}

/** The one nearest name; undefined if there are none or several. */
function nearestName(typed: string, names: SearchNames): string | undefined {
  const wanted = lookalikes(typed);
  const digits = digitsOf(wanted);
  const limit = wanted.length < 7 ? 1 : 2;
  let best = limit + 1;
  const found = new Map<string, string>();
  for (const known of wanted.length < 4 ? [] : knownNamesOf(names)) {
    const isNear =
      known.letters.length >= 4 &&
      Math.abs(known.letters.length - wanted.length) <= limit &&
      (known.digits === undefined ? !/[2-9]/.test(typed) : known.digits === digits);
    const isSame = known.letters === wanted;
    const distance = isNear && (isSame || !known.isCode) ? editDistance(wanted, known.letters, limit) : limit + 1;
    if (distance < best) {
      best = distance;
      found.clear();
    }
    if (distance === best && distance <= limit) {
      found.set(fold(known.name), known.name);
    }
  }
  const [only, ...others] = found.values();
  return others.length === 0 ? only : undefined;
}

const codePattern = /^[a-z]{1,2}\d+[a-z]?$/i;

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
