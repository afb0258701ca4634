/** Parses a Retry-After header (RFC 9110, 10.2.3), seconds or a date, to milliseconds; undefined if invalid. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) {
    return undefined;
  }
  if (/^\d{1,9}$/.test(header.trim())) {
    return Number(header) * 1_000;
  }
  // Date.parse accepts more than HTTP dates, such as -1.
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
