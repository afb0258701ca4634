const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a date or time (ISO 8601, UTC): `2026-11-20`, `2026-11-20 10:00 UTC`. */
export function dateText(date: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d).*)?$/.exec(date) ?? [];
  return day === undefined ? date : time === undefined ? day : `${day} ${time} UTC`;
}

/** Formats the age of a time (ISO 8601); undefined if the time is invalid. */
export function ageSince(time: string, nowMs: number): string | undefined {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? undefined : ageText(nowMs - ms);
}

/** Formats an age in its largest unit: `under 1 min`, `12 min`, `3 h`, `5 d`. */
export function ageText(ms: number): string {
  if (ms < MINUTE_MS) {
    return "under 1 min";
  }
  if (ms < HOUR_MS) {
    return `${Math.floor(ms / MINUTE_MS)} min`;
  }
  return ms < 2 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} d`;
}
