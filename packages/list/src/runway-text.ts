import { runwaySeconds, type Balance } from "@gpu-offers/domain";
import { countText } from "./count-text.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const LOW_SECONDS = HOUR;

/** Formats a runway: `4d 15h`, `13h 02m`, `47m LOW`, `0 (top up)`, `free`. */
export function runwayText(seconds: number): string {
  if (seconds === Number.POSITIVE_INFINITY) {
    return "free";
  }
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (seconds < MINUTE) {
    return "0 (top up)";
  }
  if (seconds < LOW_SECONDS) {
    return `${minutes}m LOW`;
  }
  const hours = Math.floor((seconds % DAY) / HOUR);
  if (seconds < DAY) {
    return `${hours}h ${String(minutes).padStart(2, "0")}m`;
  }
  return `${countText(Math.floor(seconds / DAY))}d ${hours}h`;
}

/** Seconds that a balance lasts at `hourlyMicros` micro-dollars per hour; undefined without a balance. */
export function runwayOf(balance: Balance | undefined, hourlyMicros: number): string | undefined {
  return balance === undefined ? undefined : runwayText(runwaySeconds(balance, hourlyMicros));
}
