/**
 * Parses a Retry-After header to milliseconds; undefined if it is missing or invalid. A date is relative to the
 * response's Date header, since clocks differ, or to the local clock without one (browsers hide it from other origins).
 * Source: RFC 9110, 10.2.3.
 */
export function readRetryAfterMs(headers: Pick<Headers, "get">): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) {
    return Number(text) * 1000;
  }
  const atMs = readDateMs(text);
  if (atMs === undefined) {
    return undefined;
  }
  return Math.max(0, atMs - (readDateMs(headers.get("date") ?? "") ?? Date.now()));
}

/** Parses an HTTP date. GMT at the end is required, because Date.parse accepts almost any text. */
function readDateMs(text: string): number | undefined {
  const ms = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
