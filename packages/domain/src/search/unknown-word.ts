import type { UnknownWord } from "./search-term.js";

/** The size of a language model at the end of its name, in billions of parameters: `70b`, `qwen2.5-72b`. */
const MODEL_SIZE = /(?:^|[^\d.])(\d{1,4}(?:\.\d{1,2})?b)$/i;

/** What is said of a word that no name contains: the nearest names, or the filter that takes what it is. */
export function describeUnknownWord({ text, nearest }: UnknownWord): string {
  const size = MODEL_SIZE.exec(text)?.[1];
  if (size !== undefined) {
    return `unknown; for a model of that size, set fits to ${size.toLowerCase()}`;
  }
  return nearest.length === 0 ? "unknown" : `unknown; did you mean ${nearest.join(", ")}?`;
}
