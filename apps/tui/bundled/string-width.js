import { stripVTControlCharacters } from "node:util";
import { isNarrow } from "../src/text/narrow.ts";
import { memoized } from "./memoized.js";

// Measures most texts without string-width, which takes a quarter of the time of a command to load: it compiles a pattern
// of all emoji, and loads Unicode's rules of characters. The build replaces the package by this module; Ink draws the
// same without it.

const widths = new Map();

/** string-width. */
export default function stringWidth(text, options) {
  return options === undefined ? memoized(widths, text, measure) : loaded()(text, options);
}

function measure(text) {
  const plain = stripVTControlCharacters(text);
  return isNarrow(plain) ? plain.length : loaded()(text);
}

/** In a bundle, a required module is evaluated by the first call. */
function loaded() {
  return require("string-width").default;
}
