// Durations as written in settings: `90 s`, `10 min`, `6 h`, `3 days`.

const SECONDS_OF: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  min: 60,
  m: 60,
  h: 3_600,
  d: 86_400,
  day: 86_400,
  days: 86_400,
};

/** Parses a duration to seconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6})\s*([a-z]+)$/.exec(text.trim()) ?? [];
  const seconds = SECONDS_OF[unit];
  return amount === undefined || seconds === undefined ? undefined : Number(amount) * seconds;
}

/** Formats a duration in its largest unit, rounded down: `45 s`, `3 min`, `5 h`, `12 days`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) {
    return `${whole} s`;
  }
  if (whole < 3_600) {
    return `${Math.floor(whole / 60)} min`;
  }
  if (whole < 2 * 86_400) {
    return `${Math.floor(whole / 3_600)} h`;
  }
  return `${Math.floor(whole / 86_400)} days`;
}
