import { editDistance } from "./near-names.js";
import type { SearchReading } from "./search-grammar.js";
import type { SearchNames } from "./search-names.js";
import { fold } from "./search-text.js";
import { splitWords } from "./search-words.js";
import type { Understood } from "./search-term.js";

// Mistyped names. Digits are part of what a name means, so a slip is in its letters alone; `l` or `I` for 1 and `o` for 0 look
// the same.

/** Words of the grammar that are also mistyped. */
const PHRASES = ["available", "cheapest", "preemptible", "interruptible", "container", "nvlink", "infiniband", "under"];

/** Maximum number of words of a mistyped name. */
const MAX_WORDS = 3;

/** The text with the nearest names in place of words that no name contains; undefined unless each has exactly one. */
export function respelledText(
  text: string,
  { texts }: SearchReading,
  names: SearchNames,
): { text: string; understood: readonly Understood[] } | undefined {
  const words = splitWords(text);
  const unknown = [...texts].filter(([, term]) => !names.has(term)).map(([at]) => at);
  const understood: Understood[] = [];
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
    understood.unshift({ text: text.slice(start, end), as: slip.name });
    respelled = respelled.slice(0, start) + slip.name + respelled.slice(end);
  }
  return unknown.length === 0 ? undefined : { text: respelled, understood };
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

/** The one nearest name; undefined if there are none or several. */
function nearestName(typed: string, names: SearchNames): string | undefined {
  const wanted = lookalikes(typed);
  if (wanted.length < 4) {
    return undefined;
  }
  const limit = wanted.length < 7 ? 1 : 2;
  let best = limit + 1;
  let found = new Set<string>();
  for (const name of [...PHRASES, ...names.all]) {
    const known = lookalikes(name);
    if (known.length < 4 || !hasSameDigits(typed, wanted, name, known)) {
      continue;
    }
    const distance = editDistance(wanted, known, limit);
    if (distance < best) {
      [best, found] = [distance, new Set()];
    }
    if (distance === best && distance <= limit) {
      found.add(fold(name));
    }
  }
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

/** Letters and digits, with one character for those that look alike. */
function lookalikes(text: string): string {
  return fold(text)
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replaceAll(/[li]/g, "1")
    .replaceAll("o", "0");
}

function hasSameDigits(typed: string, wanted: string, name: string, known: string): boolean {
  return /\d/.test(name) ? digitsOf(wanted) === digitsOf(known) : !/[2-9]/.test(typed);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}
