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
