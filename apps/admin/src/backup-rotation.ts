// Which backups are kept: the newest of each of the last days and weeks that have one. Names tell the time, because copies
// elsewhere may have other dates.

const DAYS = 7;
const WEEKS = 4;

/** Names of backups, such as `2026-11-26T031702Z.sqlite.gz`. */
const NAME = /^(\d{4}-\d\d-\d\d)T\d{6}Z\.sqlite(?:\.gz)?$/;

/** The backups among the names of files that are no longer needed. Other files are never among them. */
export function listOutdated(names: readonly string[]): string[] {
  const backups = names
    .filter((name) => NAME.test(name))
    .sort()
    .toReversed();
  const newest = (periodOf: (name: string) => number, periods: number): string[] =>
    [...Map.groupBy(backups, periodOf).values()].slice(0, periods).flatMap(([first]) => first ?? []);
  const needed = new Set([...newest(dayOf, DAYS), ...newest(weekOf, WEEKS)]);
  return backups.filter((name) => !needed.has(name));
}

/** Days since 1970. */
function dayOf(name: string): number {
  return Date.parse(NAME.exec(name)?.[1] ?? "") / 86_400_000;
}

/** Weeks since 1970, which begin on Mondays: 1970 began on a Thursday. */
function weekOf(name: string): number {
  return Math.floor((dayOf(name) + 3) / 7);
}
