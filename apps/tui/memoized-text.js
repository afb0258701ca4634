import { styledCharsFromTokens as read, tokenize as split } from "@alcalzone/ansi-tokenize";
import measure from "string-width";

// Memoizes how Ink measures and splits text: most texts of a frame are those of the previous frame, and measuring them
// again takes half of the time per key. The build replaces both packages by this module; Ink draws the same without it.

export * from "@alcalzone/ansi-tokenize";

/** Maximum number of memoized texts; a frame has a few hundred, including single characters. */
const MAX_TEXTS = 1_000;

const widths = new Map();

/** string-width. */
export default function memoizedWidth(text, options) {
  if (options !== undefined) {
    return measure(text, options);
  }
  return memoized(widths, text, measure);
}

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

function memoized(known, text, make) {
  let value = known.get(text);
  if (value === undefined) {
    if (known.size >= MAX_TEXTS) {
      known.clear();
    }
    value = make(text);
    known.set(text, value);
  }
  return value;
}
