/** What is wrong with a minimum above its maximum: a clause that follows `min_gpu_count`. */
export const EMPTY_COUNT_RANGE = "must not be above max_gpu_count: no offer could match";

/** Whether no GPU count is in a range. An end that is missing, or invalid by itself, limits nothing. */
export function isCountRangeEmpty(min: unknown, max: unknown): boolean {
  return typeof min === "number" && typeof max === "number" && min > max;
}
