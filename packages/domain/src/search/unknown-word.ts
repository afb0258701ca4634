import type { Understood, UnknownWord } from "./search-term.js";

/** A reading in words, with what is doubtful in it: `under $2: below $2 per GPU-hour`. */
export function understoodText({ text, as, doubt, instead }: Understood): string {
  const other = instead === undefined || instead === "" ? "" : `; or write ${JSON.stringify(instead)}`;
  return `${text}: ${as}${doubt === undefined ? "" : ` (${doubt}${other})`}`;
}

/** The size of a language model at the end of its name, in billions of parameters: `70b`, `qwen2.5-72b`. */
const MODEL_SIZE = /(?:^|[^\d.])(\d{1,4}(?:\.\d{1,2})?b)$/i;

/** A word that no name contains, with what is said of it: the nearest names, or the filter that takes what it is. */
export function unknownUnderstood({ text, nearest }: UnknownWord): Understood {
  const size = MODEL_SIZE.exec(text)?.[1];
  if (size !== undefined) {
    return { text, as: `unknown; for a model of that size, set fits to ${size.toLowerCase()}`, nearest: [] };
  }
  return { text, as: nearest.length === 0 ? "unknown" : `unknown; did you mean ${nearest.join(", ")}?`, nearest };
}
