import * as z from "zod";

/** The text of a query parameter, which must not be repeated. `missing` is the error if it is required and absent. */
export function queryTextSchema(missing = "must be text") {
  return z.string({
    error: ({ input }) => (Array.isArray(input) ? `must be given once, not ${input.length} times` : missing),
  });
}
