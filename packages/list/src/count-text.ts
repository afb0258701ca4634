/**
 * Formats a whole number, or its digits, with thousands separators: `5,012`. toLocaleString isn't used because it loads
 * about 7 MB of locale data.
 */
export function countText(count: number | string): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Formats a count with its noun: `1 offer`, `5,012 offers`. */
export function countOf(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
