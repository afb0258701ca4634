import { applyDecorators, Header } from "@nestjs/common";
import { ApiHeader, ApiResponse, type ApiResponseOptions } from "@nestjs/swagger";
import { ERROR_CODES, errorBodySchema, ERRORS, type ErrorCode } from "@gpu-offers/domain";
import * as z from "zod";
import { errorOfStatus, KEY_NEEDED } from "../wire/api-error.js";

/** The error body that this service sends: with the closed list of codes, and always with a documentation page. */
export const apiErrorSchema = errorBodySchema
  .extend({
    code: z.enum(ERROR_CODES).describe("Stable, machine-readable code from a closed list."),
    docUrl: z.string().describe("Path of this error's documentation: /docs/errors/<code>."),
  })
  .meta({ id: "ApiError", description: "Body of every response with status 400 or above." });

const requestIdHeader = { "X-Request-Id": header("Request id, also in the service's log.") };

/** Headers of responses to counted requests, if the operator limits rates. */
const RATE_LIMIT_HEADERS = {
  "RateLimit-Limit": optionalNumber(
    "Units of work allowed per minute, if rate limiting is on. Most requests take one; see the guide to limits.",
  ),
  "RateLimit-Remaining": optionalNumber("Units left in the current window, after this request."),
  "RateLimit-Reset": optionalNumber("Seconds until the window resets, or until there are units again."),
};

const AGE_HEADERS = {
  "Catalog-As-Of": header("Time of the oldest prices in the response, ISO 8601 UTC; omitted if unknown.", false),
  "Catalog-Stale-Providers": header("Providers in the response whose prices are stale, separated by commas.", false),
};

/** Documents the 200 of an operation, and the request header that every operation accepts. */
function ApiOk(response: ApiResponseOptions): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: "X-Request-Id",
      required: false,
      description:
        "Your own request id: 1 to 128 letters, digits or . _ : / + = - characters, not containing gpo_. It is returned in the response and logged. Invalid ids are replaced.",
      schema: { type: "string" },
    }),
    ApiResponse({ status: 200, ...response }),
  );
}

/** The response is never cached. Documents its operation: the schema and an example of the 200, and its errors. */
export function ApiFresh(
  schema: z.ZodType,
  example: unknown,
  description: string,
  ...errors: ErrorCode[]
): MethodDecorator {
  const headers = errors.includes("rate_limited") ? { ...requestIdHeader, ...RATE_LIMIT_HEADERS } : requestIdHeader;
  return applyDecorators(UNCACHED, ApiOk({ description, standardSchema: schema, example, headers }), ApiErrors(errors));
}

/** The same for a plain text response to a counted request. */
export function ApiText(example: string, description: string): MethodDecorator {
  const content = { "text/plain": { schema: { type: "string" as const }, example } };
  const headers = { ...requestIdHeader, ...RATE_LIMIT_HEADERS };
  return applyDecorators(UNCACHED, ApiOk({ description, content, headers }), ApiErrors(["rate_limited"]));
}

const UNCACHED = Header("Cache-Control", "no-store");

/**
 * Documents an operation of the catalog, whose responses have entity tags: the schema and an example of the 200, the 304 and
 * the errors. `notFound` is the message of its 404; `hasAge`: headers tell the age of its prices; `more` are other headers.
 */
export function ApiCached(
  schema: z.ZodType,
  example: unknown,
  description: string,
  { notFound, hasAge = false, more = {} }: { notFound?: string; hasAge?: boolean; more?: Record<string, string> } = {},
): MethodDecorator {
  const headers = {
    ...requestIdHeader,
    "Cache-Control": header("How long the response may be cached."),
    ETag: header("Entity tag of the response, for If-None-Match."),
    ...(hasAge ? AGE_HEADERS : {}),
    ...Object.fromEntries(Object.entries(more).map(([name, meaning]) => [name, header(meaning)])),
    ...RATE_LIMIT_HEADERS,
  };
  return applyDecorators(
    ApiOk({ description, standardSchema: schema, example, headers }),
    ApiHeader({
      name: "If-None-Match",
      required: false,
      description: "Comma-separated ETags of cached responses, or * for any. If one is current, the response is 304.",
      schema: { type: "string" },
    }),
    ApiResponse({
      status: 304,
      description: "Not modified: your cached response is current (If-None-Match).",
      headers,
    }),
    ApiErrors(["unauthorized", "rate_limited", ...(notFound === undefined ? [] : ["not_found" as const])], notFound),
  );
}

/** Errors that every operation may return, most of them before its handler runs. */
const COMMON_ERRORS = [
  "invalid_parameter",
  "method_not_allowed",
  "request_timeout",
  "uri_too_long",
  "headers_too_large",
  "internal_error",
  "unavailable",
] as const satisfies ErrorCode[];

/** Example messages of errors whose message depends on the request. */
const EXAMPLE_MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: "size must be a whole number from 1 to 100.",
  unauthorized: KEY_NEEDED,
  method_not_allowed: "POST is not allowed here; allowed are GET, HEAD, OPTIONS.",
  rate_limited: "Rate limit of 600 units per minute exceeded. Retry in 42 seconds.",
};

/** Errors returned after the request was counted. */
const COUNTED_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "invalid_parameter",
  "unauthorized",
  "not_found",
  "rate_limited",
]);

/** Documents the errors of an operation besides those that all operations have. */
function ApiErrors(errors: readonly ErrorCode[], notFound?: string): MethodDecorator {
  return applyDecorators(
    ...[...COMMON_ERRORS, ...errors].map((code) => {
      const known = code === "not_found" ? notFound : EXAMPLE_MESSAGES[code];
      const message = known ?? errorOfStatus(ERRORS[code].status).message;
      return ApiResponse({
        status: ERRORS[code].status,
        description: ERRORS[code].meaning,
        standardSchema: apiErrorSchema,
        example: {
          code,
          message,
          ...(code === "invalid_parameter"
            ? { details: [{ in: "query", name: "size", reason: 'must be a whole number from 1 to 100; got "101"' }] }
            : {}),
          requestId: "6f1c2a0e-8f5b-4d0a-9f43-1d2f3a4b5c6d",
          docUrl: `/docs/errors/${code}`,
        },
        headers: {
          ...requestIdHeader,
          ...(COUNTED_ERRORS.has(code) ? RATE_LIMIT_HEADERS : {}),
          ...(code === "method_not_allowed" ? { Allow: header("Allowed methods.") } : {}),
          ...(code === "unauthorized" ? { "WWW-Authenticate": header("Always Bearer.") } : {}),
          ...(code === "unavailable" || code === "rate_limited"
            ? { "Retry-After": header("Seconds to wait before trying again.") }
            : {}),
        },
      });
    }),
  );
}

function header(description: string, required = true) {
  return { description, required, schema: { type: "string" as const } };
}

function optionalNumber(description: string) {
  return { description, required: false, schema: { type: "integer" as const, minimum: 0 } };
}
