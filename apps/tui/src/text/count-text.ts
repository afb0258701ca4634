/**
 * A whole number, or its digits, with the thousands separated: `5,012`. Not by toLocaleString: the tables that it reads
 * for a comma take some 7 MB of memory.
 */
export function countText(count: number | string): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A count with what is counted: `1 offer`, `5,012 offers`. */
export function countOf(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
