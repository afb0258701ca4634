/** A number for people: `12,400`. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** A number of things for people: `1 offer`, `12,400 offers`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
