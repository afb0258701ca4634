import { z } from "zod";

/**
 * Every error code of the interface with its HTTP status and what it means. The table is closed: no
 * layer answers with anything else. `not_found` is interface.md 7; the others fill its gap.
 */
export const ERRORS = {
  bad_request: { status: 400, meaning: "The request could not be read as HTTP." },
  invalid_parameter: { status: 400, meaning: "A parameter is unknown, repeated, malformed or out of range." },
  unauthorized: { status: 401, meaning: "The API key is missing, malformed, unknown, expired or revoked." },
  not_found: { status: 404, meaning: "Nothing lies at this path, or the named resource does not exist." },
  method_not_allowed: { status: 405, meaning: "The path exists, but not for this method; see the Allow header." },
  request_timeout: { status: 408, meaning: "The request did not arrive in time." },
  uri_too_long: { status: 414, meaning: "The request line is too long." },
  expectation_failed: { status: 417, meaning: "The Expect header asks for something other than 100-continue." },
  rate_limited: { status: 429, meaning: "Too many requests; see the Retry-After header." },
  headers_too_large: { status: 431, meaning: "The request headers are too large." },
  internal_error: { status: 500, meaning: "The service failed; the request id finds it in the log." },
  unavailable: { status: 503, meaning: "The service cannot answer now; see the Retry-After header." },
} as const satisfies Record<string, { status: number; meaning: string }>;

/** One of the codes of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** All codes, in the order of {@link ERRORS}. */
// The keys of a literal are the names of its type
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** One fault of a request: where it is, which parameter, and what would be right. Fills a gap of interface.md 7. */
export const errorDetailSchema = z
  .object({
    in: z.string().describe("Part of the request: query, path or header."),
    name: z.string().describe("Name of the parameter."),
    reason: z.string().describe("What is wrong with it and what would be right."),
  })
  .meta({ id: "ErrorDetail", description: "One fault of a request." });

/** See {@link errorDetailSchema}. */
export type ErrorDetail = z.infer<typeof errorDetailSchema>;

/** Body of every answer of 400 and above. Fills a gap of interface.md 7. */
export const errorBodySchema = z
  .object({
    code: z.string().describe("Stable code for programs."),
    message: z.string().describe("Sentence for people."),
    details: z.array(errorDetailSchema).optional().describe("All faults at once, where there are any to name."),
    requestId: z.string().describe("Id of the request, also in the X-Request-Id header and the log."),
  })
  .meta({ id: "Error", description: "What was wrong, and what to do." });

/** See {@link errorBodySchema}. */
export type ErrorBody = z.infer<typeof errorBodySchema>;

/** Message of the 404 of `GET /api/v1/offers/{id}`: interface.md 7, to the letter. */
export const OFFER_NOT_FOUND = "Offer not found.";

/** Message of the 404 of `GET /api/v1/providers/{provider}/images`: a gap of interface.md 4.4. */
export const PROVIDER_NOT_FOUND = "Provider not found.";
