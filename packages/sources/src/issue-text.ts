import type * as z from "zod";
import { safeText } from "./shown-value.js";

const MAX_ISSUES = 3;
// Some messages repeat input, such as the names of unknown keys, which may be long and contain anything.
const MAX_MESSAGE = 160;

/** Formats what a schema rejected, as one clause of a sentence: `specs.ram: expected number; gpu: ...`. */
export function issueText(error: z.ZodError): string {
  const issues = error.issues.flatMap(plainIssues);
  const shown = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const text = safeText(message, MAX_MESSAGE);
    return path.length === 0 ? text : `${path.map(String).join(".")}: ${text}`;
  });
  const more = issues.length - shown.length;
  return more > 0 ? `${shown.join("; ")}; and ${more} more` : shown.join("; ");
}

type Issue = z.core.$ZodIssue;

/**
 * The issues of a value that matches none of several forms are those of the form that it is closest to: the one with the
 * fewest, and the first of equals. On their own, such an issue names no field.
 */
function plainIssues(issue: Issue): Issue[] {
  // A schema with a message of its own says what all of its forms are.
  if (issue.code !== "invalid_union" || issue.errors.length === 0 || issue.message !== "Invalid input") {
    return [issue];
  }
  const forms = issue.errors.map((issues) => issues.flatMap(plainIssues));
  const [closest = []] = forms.toSorted((a, b) => a.length - b.length);
  return closest.map((inner) => Object.assign({}, inner, { path: [...issue.path, ...inner.path] }));
}
