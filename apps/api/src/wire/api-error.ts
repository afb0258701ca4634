import { asSentence, ERRORS, type ErrorBody, type ErrorCode, type ErrorDetail } from "@gpu-offers/domain";
import { redactKeys } from "../keys/redact-keys.js";
import { JSON_TYPE } from "./response-headers.js";

/** A response with status 400 or above: thrown anywhere, sent by the error filter or the wire. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  /** @param message Sentence for the caller, without internals. @param headers those of the error, such as Allow. */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = ERRORS[code].status;
  }

  /** The body of the response. Message and details repeat the caller's input. */
  toBody(requestId: string): ErrorBody {
    return {
      code: this.code,
      message: redactKeys(this.message),
      ...(this.details.length > 0
        ? {
            details: this.details.map(({ in: where, name, reason }) => ({
              in: where,
              name: redactKeys(name),
              reason: redactKeys(reason),
            })),
          }
        : {}),
      requestId,
      docUrl: `/docs/errors/${this.code}`,
    };
  }
}

/** The headers of an error response with this body, without those of every response. */
export function errorHeaders(error: ApiError, body: string): Record<string, string> {
  return {
    ...error.headers,
    "Content-Type": JSON_TYPE,
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
  };
}

/** Message of every 401. */
export const KEY_NEEDED = "A valid API key is required: send Authorization: Bearer <key>.";

const NO_SUCH_PATH = "No such path. See /docs for the available endpoints.";

/** Error codes for bare HTTP statuses. */
const CODES = [
  "bad_request",
  "not_found",
  "request_timeout",
  "uri_too_long",
  "expectation_failed",
  "headers_too_large",
  "internal_error",
  "unavailable",
] as const satisfies ErrorCode[];

/** The error for a bare HTTP status from the framework, the parser or the socket. */
export function errorOfStatus(status: number): ApiError {
  const fallback = status >= 400 && status < 500 ? "bad_request" : "internal_error";
  const code = CODES.find((known) => ERRORS[known].status === status) ?? fallback;
  if (code === "unavailable") {
    return unavailable(ERRORS[code].meaning);
  }
  return new ApiError(code, code === "not_found" ? NO_SUCH_PATH : ERRORS[code].meaning);
}

/** What is wrong with a parameter, by default of the query; `got` is its value. */
export interface ParameterProblem {
  in?: "path";
  name: string;
  reason: string;
  got?: string;
}

/** The 400 of invalid parameters. @param count number of problems, if these aren't all. */
export function invalidParameters(problems: readonly ParameterProblem[], count = problems.length): ApiError {
  const sentences = problems.map(({ name, reason }) => asSentence(`${name} ${reason}`.trim())).join(" ");
  const shown = count > problems.length ? `, the first ${problems.length} of them` : "";
  return new ApiError(
    "invalid_parameter",
    count === 1 ? sentences : `${count} problems${shown}: ${sentences}`,
    problems.map(({ in: part = "query", name, reason, got }) => ({
      in: part,
      name,
      reason: got === undefined ? reason : `${reason}; got ${got}`,
    })),
  );
}

/** A 503. Clients may retry soon. */
export function unavailable(message: string): ApiError {
  return new ApiError("unavailable", message, [], { "Retry-After": "5" });
}

/** The 405 of a method that a path does not have. */
export function methodNotAllowed(method: string, allow: string): ApiError {
  return new ApiError("method_not_allowed", `${method} is not allowed here; allowed are ${allow}.`, [], {
    Allow: allow,
  });
}
