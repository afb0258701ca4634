import { stripVTControlCharacters } from "node:util";
import { isNarrow } from "../src/text/narrow.ts";

// Measures most texts without string-width, which compiles a pattern of all emoji and loads Unicode's rules of characters:
// without this, a start takes 80 ms more processor time. The build replaces the package by this module; Ink draws the same
// without it.

/** string-width. */
export default function stringWidth(text, options) {
  if (options !== undefined) {
    return loaded()(text, options);
  }
  const plain = stripVTControlCharacters(text);
  return isNarrow(plain) ? plain.length : loaded()(text);
}

/** In a bundle, a required module is evaluated by the first call. */
function loaded() {
  return require("string-width").default;
}
