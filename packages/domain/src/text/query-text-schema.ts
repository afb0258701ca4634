import * as z from "zod";
import { PLAIN_TEXT_PATTERN } from "./plain-text.js";

/** The text of a query parameter, which must not be repeated. `missing` is the error if it is required and absent. */
export function queryTextSchema(missing = "must be text") {
  return z.string({
    error: ({ input }) => (Array.isArray(input) ? `must be given once, not ${input.length} times` : missing),
  });
}

/** A query parameter with a text that could be a name. */
export function queryNameSchema(maximum: number) {
  return queryTextSchema()
    .min(1, "must not be empty")
    .max(maximum, `must have at most ${maximum} characters`)
    .regex(PLAIN_TEXT_PATTERN, "must not contain control or invisible characters");
}

/** A query parameter with a whole number of at most 9 digits. */
export function queryNumberSchema(minimum: number, maximum: number) {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return queryTextSchema()
    .regex(/^(?:0|[1-9]\d{0,8})$/, message)
    .transform(Number)
    .pipe(z.int().min(minimum, message).max(maximum, message));
}
