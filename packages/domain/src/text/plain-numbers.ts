// Numbers and units as people write them, for quantities and for searches.

/** Factors of units by their names in lower case. The empty text is the unit of a bare number. */
export const UNITS = {
  gb: { "": 1, g: 1, gb: 1, gi: 1, gib: 1, t: 1_000, tb: 1_000, tib: 1_000 },
  hours: { "": 1, h: 1, d: 24, w: 168 },
} as const;

/**
 * Numbers with a point alone: "1,000" has a thousands separator, "1,5", "0,500" and "$1,50" a decimal comma. A list such as
 * "4090,3090" stays.
 */
export function plainNumbers(text: string): string {
  return text
    .replace(/(?<=^|[<>=$\s])(0(?=,\d+(?![\d,]))|\d+(?=,\d{1,2}(?![\d,]))),/, "$1.")
    .replaceAll(/(?<=\d)(?<!\b0),(?=\d{3}(?!\d))/g, "");
}
