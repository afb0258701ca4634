import { applyDecorators } from "@nestjs/common";
import { ApiHeader, ApiResponse } from "@nestjs/swagger";
import { ERRORS, type ErrorCode } from "@gpu-offers/domain";
import type * as z from "zod";
import { apiErrorSchema } from "./api-error-schema.js";
import { errorOfStatus, KEY_NEEDED } from "../wire/api-error.js";

/** Header of every response. */
const requestIdHeader = { "X-Request-Id": header("Id of the request, as in the log.") };

/** Headers of responses under /api/v1, if the operator limits rates. */
export const RATE_LIMIT_HEADERS = {
  "RateLimit-Limit": optionalHeader("Under /api/v1, if the operator limits rates: requests allowed per minute."),
  "RateLimit-Remaining": optionalHeader("Requests left in this minute."),
  "RateLimit-Reset": optionalHeader("Seconds until the count starts again."),
};

/** Documents the request header that every operation takes. */
function ApiRequestId(): MethodDecorator {
  return ApiHeader({
    name: "X-Request-Id",
    required: false,
    description:
      "Id for the request, used in the response and the log if it has 1 to 128 letters, digits and . _ : / + = - and does not contain gpo_. Any other value is ignored, and the response has a new id.",
    schema: { type: "string" },
  });
}

/** Documents the 200 of an operation whose response is made anew each time: its schema and an example. */
export function ApiFresh(schema: z.ZodType, example: unknown, description: string): MethodDecorator {
  return applyDecorators(
    ApiRequestId(),
    ApiResponse({ status: 200, description, standardSchema: schema, example, headers: requestIdHeader }),
  );
}

/** Documents the 200 of an operation whose response is plain text, made anew each time. */
export function ApiText(example: string, description: string): MethodDecorator {
  return applyDecorators(
    ApiRequestId(),
    ApiResponse({
      status: 200,
      description,
      content: { "text/plain": { schema: { type: "string" }, example } },
      headers: requestIdHeader,
    }),
  );
}

/** Documents the 200 and 304 of an operation that reads the catalog; `more` are further headers. */
export function ApiCached(
  schema: z.ZodType,
  example: unknown,
  description: string,
  more: Readonly<Record<string, string>> = {},
): MethodDecorator {
  const headers = {
    ...requestIdHeader,
    "Cache-Control": header("How long the response may be kept."),
    ETag: header("Tag of the response, for If-None-Match."),
    "Catalog-As-Of": maybeHeader("Time of the oldest prices in the response, ISO 8601 UTC; unset if it is unknown."),
    "Catalog-Stale-Providers": maybeHeader("Providers in the response whose prices are too old, separated by commas."),
    ...Object.fromEntries(Object.entries(more).map(([name, meaning]) => [name, header(meaning)])),
  };
  return applyDecorators(
    ApiRequestId(),
    ApiHeader({
      name: "If-None-Match",
      required: false,
      description:
        "ETags of responses that you have, separated by commas, or * for any. If the current one is among them, the response is 304.",
      schema: { type: "string" },
    }),
    ApiResponse({ status: 200, description, standardSchema: schema, example, headers }),
    ApiResponse({
      status: 304,
      description: "You have the current response already (If-None-Match).",
      headers: { ...headers, ...RATE_LIMIT_HEADERS },
    }),
  );
}

/** Errors that every operation may have, most of them before it is reached. */
const COMMON_ERRORS = [
  "method_not_allowed",
  "request_timeout",
  "uri_too_long",
  "headers_too_large",
  "internal_error",
  "unavailable",
] as const satisfies ErrorCode[];

/** Messages of the examples, where the message depends on the request. */
const EXAMPLE_MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_parameter: "size must be a whole number from 1 to 100.",
  unauthorized: KEY_NEEDED,
  method_not_allowed: "POST is not allowed here; allowed are GET, HEAD, OPTIONS.",
  rate_limited: "More than 600 requests a minute. Wait 42 seconds.",
};

/** Errors that come after the request was counted. */
const COUNTED_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "invalid_parameter",
  "unauthorized",
  "not_found",
  "rate_limited",
]);

/** Documents the errors of an operation, beside those that all have. A code may come with its message here. */
export function ApiErrors(...errors: (ErrorCode | readonly [ErrorCode, string])[]): MethodDecorator {
  return applyDecorators(
    ...[...errors, ...COMMON_ERRORS].map((error) => {
      const code = typeof error === "string" ? error : error[0];
      const message =
        typeof error === "string" ? (EXAMPLE_MESSAGES[code] ?? errorOfStatus(ERRORS[code].status).message) : error[1];
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
          ...(code === "method_not_allowed" ? { Allow: header("Methods that are allowed.") } : {}),
          ...(code === "unauthorized" ? { "WWW-Authenticate": header("Always Bearer.") } : {}),
          ...(code === "unavailable" || code === "rate_limited"
            ? { "Retry-After": header("Seconds to wait before trying again.") }
            : {}),
        },
      });
    }),
  );
}

function header(description: string) {
  return { description, required: true, schema: { type: "string" as const } };
}

function maybeHeader(description: string) {
  return { description, required: false, schema: { type: "string" as const } };
}

function optionalHeader(description: string) {
  return { description, required: false, schema: { type: "integer" as const, minimum: 0 } };
}
