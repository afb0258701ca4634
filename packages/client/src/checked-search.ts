import type { ErrorDetail } from "@gpu-offers/domain";
import type * as z from "zod";
import { ArgumentError } from "./errors.js";
import { searchOf } from "./operations.js";

/**
 * The query string of the parameters that are given, with its question mark, or nothing where none is. Texts are sent
 * in the form that the rules make of them, so that equal requests are equal URLs.
 * @throws ArgumentError with every problem, by the very rules that the service has.
 */
export function checkedSearch(schema: z.ZodType<object>, texts: Readonly<Record<string, unknown>>): string {
  const result = schema.safeParse(texts);
  if (!result.success) {
    throw new ArgumentError(result.error.issues.flatMap(explain), result.error);
  }
  return searchOf(Object.entries(result.data).filter(([name]) => name in texts));
}

function explain(issue: {
  code: string;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[];
}): ErrorDetail[] {
  return issue.keys === undefined
    ? [{ in: "query", name: String(issue.path[0] ?? "query"), reason: issue.message }]
    : issue.keys.map((name) => ({ in: "query", name, reason: "is unknown" }));
}
