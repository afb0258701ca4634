import { MODELS } from "./search-table.js";
import type { Understood, UnknownWord } from "./search-term.js";

const MODEL_NAME = new RegExp(`^(?:${MODELS})`, "i");

/** A word that no name contains, with what is said of it: the nearest names, or how it is written. */
export function unknownUnderstood({ text, nearest }: UnknownWord): Understood {
  if (MODEL_NAME.test(text)) {
    return { text, as: "unknown; write a model with its size, such as llama 70b", nearest: [] };
  }
  return { text, as: nearest.length === 0 ? "unknown" : `unknown; did you mean ${nearest.join(", ")}?`, nearest };
}
