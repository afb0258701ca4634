import { InvalidArgumentError } from "commander";

/**
 * Parses a time option: a day, or a time in UTC, as ISO 8601 UTC with milliseconds.
 * @param timeOfDay time for a day without one, such as `23:59:59.999`.
 * @throws InvalidArgumentError if it is neither.
 */
export function parseTime(text: string, timeOfDay: string): string {
  const [, day = "", clock = `T${timeOfDay}Z`] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/.exec(text) ?? [];
  const time = new Date(`${day}${clock}`);
  // Date takes February 31 for March 3.
  if (Number.isNaN(time.getTime()) || !time.toISOString().startsWith(day)) {
    throw new InvalidArgumentError("It must be a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.");
  }
  return time.toISOString();
}
