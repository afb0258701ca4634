import type { SearchNames } from "./search-names.js";
import { COMPLETED, UNFINISHED } from "./search-table.js";
import { fold } from "./search-text.js";
import { splitWords } from "./search-words.js";

// Texts that are still being typed: the ends of phrases, and limits without their number.

/** The text with the phrase or name that the words up to `lastWord` begin; undefined if there is none. */
export function completedText(text: string, lastWord: number, names: SearchNames): string | undefined {
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
export function withoutUnfinishedLimit(text: string, cursor: number): string | undefined {
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
