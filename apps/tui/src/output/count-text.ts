/** A count with thousands separated: `5,012`. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}
