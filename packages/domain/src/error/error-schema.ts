import * as z from "zod";

/** A problem of a request: its location, the parameter, and what would be valid. */
export const errorDetailSchema = z
  .object({
    in: z.string().describe("Part of the request: query, path or header."),
    name: z.string().describe("Name of the parameter."),
    reason: z.string().describe("What is invalid, and what would be valid."),
  })
  .meta({ id: "ErrorDetail", description: "One problem of a request." });
export type ErrorDetail = z.output<typeof errorDetailSchema>;

/** Body of every response with status 400 or above. */
export const errorBodySchema = z
  .object({
    code: z.string().describe("Stable, machine-readable code."),
    message: z.string().describe("Human-readable sentence."),
    details: z.array(errorDetailSchema).optional().describe("All problems of the request, if known."),
    requestId: z.string().describe("Request id, also in the X-Request-Id header and the service's log."),
    docUrl: z.string().optional().describe("Path of this error's documentation on the same service."),
  })
  .meta({ id: "Error", description: "What is invalid, and what to do." });
export type ErrorBody = z.output<typeof errorBodySchema>;
