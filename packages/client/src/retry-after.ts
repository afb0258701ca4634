/**
 * What a Retry-After header asks for in milliseconds; undefined where there is none, or none that can be
 * read. A date is counted from the response's own Date, since clocks differ; without one (browsers hide it
 * from other origins) from this machine's clock. Source: RFC 9110, 10.2.3.
 */
export function readRetryAfterMs(headers: Headers): number | undefined {
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

/** An HTTP date; without its GMT at the end, Date.parse would take almost any text. */
function readDateMs(text: string): number | undefined {
  const ms = /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
