import { styledCharsFromTokens as read, tokenize as split } from "@alcalzone/ansi-tokenize";
import { memoized } from "./memoized.js";

// Memoizes how Ink splits text: doing it again takes a third of the time per key. The build replaces the package by this
// module; Ink draws the same without it.

export * from "@alcalzone/ansi-tokenize";

const tokens = new Map();

/** tokenize of ansi-tokenize; no caller modifies the result. */
export function tokenize(text, ...rest) {
  return rest.length > 0 ? split(text, ...rest) : memoized(tokens, text, split);
}

const characters = new WeakMap();

/** styledCharsFromTokens of ansi-tokenize; no caller modifies the result. */
export function styledCharsFromTokens(given) {
  let found = characters.get(given);
  if (found === undefined) {
    found = read(given);
    characters.set(given, found);
  }
  return found;
}
