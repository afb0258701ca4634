/** What is wrong with a minimum above its maximum, by that name: a clause that follows the minimum's. */
export function emptyCountRange(maximum: string): string {
  return `must not be above ${maximum}: no offer could match`;
}

/** Whether no GPU count is in a range. An end that is missing, or invalid by itself, limits nothing. */
export function isCountRangeEmpty(min: unknown, max: unknown): boolean {
  return typeof min === "number" && typeof max === "number" && min > max;
}
