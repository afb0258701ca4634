import type * as z from "zod";
import { safeText } from "./shown-value.js";

const MAX_ISSUES = 3;
// Some messages repeat input, such as the names of unknown keys, which may be long and contain anything.
const MAX_MESSAGE = 160;

/** Formats what a schema rejected, as one clause of a sentence: `specs.ram: expected number; gpu: ...`. */
export function issueText(error: z.ZodError): string {
  const shown = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const text = safeText(message, MAX_MESSAGE);
    return path.length === 0 ? text : `${path.map(String).join(".")}: ${text}`;
  });
  const more = error.issues.length - shown.length;
  return more > 0 ? `${shown.join("; ")}; and ${more} more` : shown.join("; ");
}
