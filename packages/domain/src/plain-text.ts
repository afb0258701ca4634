import { z } from "zod";

// Controls, line and paragraph separators, lone surrogates and the marks that turn the direction of text around:
// they could forge a line of a log or of a terminal.
const FORGING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** True when a text holds no control character and nothing else that changes how the text around it is shown. */
export function isPlainText(text: string): boolean {
  return !FORGING.test(text);
}

/** A text that a catalog publishes: at most 200 characters, and {@link isPlainText}. */
export const plainTextSchema = z.string().max(200).refine(isPlainText, "must not hold control characters");
