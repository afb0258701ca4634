import { styledCharsFromTokens as read, tokenize as split } from "@alcalzone/ansi-tokenize";
import measure from "string-width";

// What Ink asks of each text of each frame, remembered: most texts are what they were in the frame before. Without it
// half of the time of a key goes into measuring and splitting the same rows again. The build puts this in the place of
// the two packages; without it Ink draws the same, slower.

export * from "@alcalzone/ansi-tokenize";

/** Texts that are remembered; a frame has some hundred, characters included. */
const MAX_TEXTS = 1_000;

const widths = new Map();

/** string-width. */
export default function rememberedWidth(text, options) {
  if (options !== undefined) {
    return measure(text, options);
  }
  return remembered(widths, text, measure);
}

const tokens = new Map();

/** tokenize of ansi-tokenize; no caller changes what it gets. */
export function tokenize(text, ...rest) {
  return rest.length > 0 ? split(text, ...rest) : remembered(tokens, text, split);
}

const characters = new WeakMap();

/** styledCharsFromTokens of ansi-tokenize; no caller changes what it gets. */
export function styledCharsFromTokens(given) {
  let found = characters.get(given);
  if (found === undefined) {
    found = read(given);
    characters.set(given, found);
  }
  return found;
}

function remembered(known, text, make) {
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
