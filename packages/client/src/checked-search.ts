import { unknownParameter, type ErrorDetail } from "@gpu-offers/domain";
import type * as z from "zod";
import { ArgumentError } from "./errors.js";
import { searchOf } from "./operations.js";

/**
 * The query string of the given parameters, with its leading `?`, or an empty text. What is undefined is omitted, lists are
 * joined by commas. Values are normalized, so that equal requests have equal URLs.
 * @throws ArgumentError with every problem, by the same rules as in the service.
 */
export function checkedSearch(schema: z.ZodType<object> & { shape: object }, values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const texts = Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
  const result = schema.safeParse(texts);
  if (!result.success) {
    throw new ArgumentError(
      result.error.issues.flatMap((issue) => explain(issue, Object.keys(schema.shape))),
      result.error,
    );
  }
  return searchOf(Object.entries(result.data).filter(([name]) => name in texts));
}

/** Formats a value for a URL. Values of other types are validated as they are. */
function textOf(value: unknown): unknown {
  return Array.isArray(value) || typeof value === "number" ? String(value) : value;
}

function explain(
  issue: { code: string; path: readonly PropertyKey[]; message: string; keys?: readonly string[] },
  known: readonly string[],
): ErrorDetail[] {
  return issue.keys === undefined
    ? [{ in: "query", name: String(issue.path[0] ?? "query"), reason: issue.message }]
    : issue.keys.map((name) => ({ in: "query", name, reason: unknownParameter(name, known) }));
}
