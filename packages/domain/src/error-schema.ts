import * as z from "zod";

/** One problem of a request: where it is, which parameter, and what would be valid. */
export const errorDetailSchema = z
  .object({
    in: z.string().describe("Part of the request: query, path or header."),
    name: z.string().describe("Name of the parameter."),
    reason: z.string().describe("What is invalid, and what would be valid."),
  })
  .meta({ id: "ErrorDetail", description: "One problem of a request." });

/** See {@link errorDetailSchema}. */
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

/** Body of every response of 400 and above. */
export const errorBodySchema = z
  .object({
    code: z.string().describe("Stable code for programs."),
    message: z.string().describe("Sentence for people."),
    details: z.array(errorDetailSchema).optional().describe("All problems at once, if any can be named."),
    requestId: z.string().describe("Id of the request, also in the X-Request-Id header and the log."),
    docUrl: z.string().optional().describe("Path of the page about this error, on the same service."),
  })
  .meta({ id: "Error", description: "What is invalid, and what to do." });

/** See {@link errorBodySchema}. */
export type ErrorBody = z.infer<typeof errorBodySchema>;
