/**
 * All error codes of the API, with HTTP status and meaning. The meaning is also the message if a layer only knows the
 * status. The list is closed: no layer returns other codes.
 */
export const ERRORS = {
  bad_request: { status: 400, meaning: "The request is not valid HTTP." },
  invalid_parameter: { status: 400, meaning: "A parameter is unknown, repeated, malformed or out of range." },
  unauthorized: { status: 401, meaning: "The API key is missing, malformed, unknown, expired or revoked." },
  not_found: { status: 404, meaning: "The path or the named resource does not exist." },
  method_not_allowed: { status: 405, meaning: "The path exists, but not for this method; see the Allow header." },
  request_timeout: { status: 408, meaning: "The request did not arrive in time." },
  uri_too_long: { status: 414, meaning: "The request line is too long." },
  expectation_failed: { status: 417, meaning: "The Expect header asks for something other than 100-continue." },
  rate_limited: { status: 429, meaning: "Too many requests; see the Retry-After header." },
  headers_too_large: { status: 431, meaning: "The request headers are too large." },
  internal_error: { status: 500, meaning: "The service failed; its log has the cause under the request id." },
  unavailable: { status: 503, meaning: "The service is unavailable right now; see the Retry-After header." },
} as const satisfies Record<string, { status: number; meaning: string }>;

/** One of the codes of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** All codes, in the order of {@link ERRORS}. */
// The keys of a literal are the names of its type
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Message of the 404 of `GET /api/v1/offers/{id}`, verbatim (docs/guides/errors.md). */
export const OFFER_NOT_FOUND = "Offer not found.";

/** Message of the 404 of `GET /api/v1/providers/{provider}/images`. */
export const PROVIDER_NOT_FOUND = "Provider not found.";

/** An error's message in one line. Failed connections to several addresses have a code, but no message. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error && error.message !== "" ? error.message : codeOf(error) || String(error);
  return text.replaceAll(/\s+/g, " ");
}

/** The code of an error, such as Node's, PostgreSQL's or SQLite's; empty for none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Parses a Retry-After header to milliseconds; undefined if it is missing or invalid. A date is relative to the
 * response's Date header, since clocks differ, or to `nowMs` without one (browsers hide it from other origins).
 * Source: RFC 9110, 10.2.3.
 */
export function parseRetryAfter(
  { retryAfter, date }: { retryAfter?: string | null | undefined; date?: string | null | undefined },
  nowMs: number,
): number | undefined {
  const text = retryAfter?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) {
    return Number(text) * 1_000;
  }
  const atMs = parseDate(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - (parseDate(date ?? "") ?? nowMs));
}

/** Parses an HTTP date. GMT at the end is required, because Date.parse accepts almost any text. */
function parseDate(text: string): number | undefined {
  const ms = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
