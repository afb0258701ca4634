/** Milliseconds that a Retry-After header asks to wait (RFC 9110, 10.2.3): seconds, or a date; undefined for neither. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) {
    return undefined;
  }
  if (/^\d{1,9}$/.test(header.trim())) {
    return Number(header) * 1_000;
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
