import { applyDecorators } from "@nestjs/common";
import { ApiHeader, ApiResponse } from "@nestjs/swagger";
import { ERRORS, errorBodySchema, type ErrorCode } from "@gpu-offers/domain";
import type { z } from "zod";
import { errorOfStatus, KEY_NEEDED } from "../wire/api-error.js";

/** Headers of every answer. */
const requestIdHeader = {
  "X-Request-Id": { description: "Id of the request, as in the log.", schema: { type: "string" as const } },
};

/** Documents the request header that every operation takes. */
function ApiRequestId(): MethodDecorator {
  return ApiHeader({
    name: "X-Request-Id",
    required: false,
    description: "Id of the request: at most 128 letters, digits and . _ : / + = -; anything else is replaced.",
    schema: { type: "string", maxLength: 128 },
    example: "6f1c2a0e-8f5b-4d0a-9f43-1d2f3a4b5c6d",
  });
}

/** Documents the 200 of an operation that is answered anew each time: its schema and an example. */
export function ApiFresh(schema: z.ZodType, example: unknown, description: string): MethodDecorator {
  return applyDecorators(
    ApiRequestId(),
    ApiResponse({ status: 200, description, standardSchema: schema, example, headers: requestIdHeader }),
  );
}

/** Documents the 200 of an operation that answers in plain text, anew each time. */
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

/** Documents the 200 and 304 of an operation that answers from the catalog; `more` are further headers. */
export function ApiCached(
  schema: z.ZodType,
  example: unknown,
  description: string,
  more: Readonly<Record<string, string>> = {},
): MethodDecorator {
  const headers = {
    ...requestIdHeader,
    "Cache-Control": header("How long the answer may be held."),
    ETag: header("Tag of the answer, for If-None-Match."),
    "Catalog-As-Of": header("Time of the oldest prices in the response, ISO 8601 UTC; left out if it is not known."),
    "Catalog-Stale-Providers": header("Providers in the response whose prices are too old, separated by commas."),
    ...Object.fromEntries(Object.entries(more).map(([name, meaning]) => [name, header(meaning)])),
  };
  return applyDecorators(
    ApiRequestId(),
    ApiHeader({
      name: "If-None-Match",
      required: false,
      description: "ETag of the answer that the caller has; while it is still the right one, the answer is 304.",
      schema: { type: "string" },
    }),
    ApiResponse({ status: 200, description, standardSchema: schema, example, headers }),
    ApiResponse({ status: 304, description: "The caller has the answer already (If-None-Match).", headers }),
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
        standardSchema: errorBodySchema,
        example: {
          code,
          message,
          ...(code === "invalid_parameter"
            ? { details: [{ in: "query", name: "size", reason: 'must be a whole number from 1 to 100; got "101"' }] }
            : {}),
          requestId: "6f1c2a0e-8f5b-4d0a-9f43-1d2f3a4b5c6d",
        },
        headers: {
          ...requestIdHeader,
          ...(code === "method_not_allowed" ? { Allow: header("Methods that are allowed.") } : {}),
          ...(code === "unauthorized" ? { "WWW-Authenticate": header("Bearer.") } : {}),
          ...(code === "unavailable" || code === "rate_limited"
            ? { "Retry-After": header("Seconds to wait before trying again.") }
            : {}),
        },
      });
    }),
  );
}

function header(description: string) {
  return { description, schema: { type: "string" as const } };
}
