import * as z from "zod";
import type { OperationFacts } from "./operation-facts.js";

// What needs a person, one rule each. `gpu-offers-admin doctor` prints the findings, and the metric gpu_offers_finding has
// them for the alerts, whose runbooks are in docs/operations/runbooks.md.

/** Bytes below which a disk counts as full, whatever the growth. */
const LEAST_FREE_BYTES = 256e6;

/** Something that needs a person. */
export const findingSchema = z.strictObject({
  rule: z.string(),
  subject: z.string().describe("name of a source; empty if it isn't about one"),
  problem: z.string(),
  action: z.string(),
});
export type Finding = z.output<typeof findingSchema>;

type Source = OperationFacts["sources"][number];

/** Says in a sentence what is wrong, if it is, and in another one what to do. `NAME` is the source. */
type Rule<Judged extends unknown[]> = readonly [find: (...judged: Judged) => string | false, action: string];

const RULES: Readonly<Record<string, Rule<[OperationFacts]>>> = {
  backup: [
    ({ at, backup, installed_at: installedAt }) =>
      hoursBetween(backup?.at ?? installedAt, at) > 36 &&
      (backup === null ? "There is no verified backup." : `The last verified backup is from ${backup.at}.`),
    "Run gpu-offers-admin backup. If the nightly one fails, see journalctl -u gpu-offers-backup.",
  ],
  disk: [
    ({ disk_free_bytes: free, bytes_a_day: growth }) => {
      const daysLeft = free === null || growth === null || growth <= 0 ? Infinity : free / growth;
      const isFull = free !== null && (free < LEAST_FREE_BYTES || daysLeft < 7);
      return (
        isFull &&
        `The disk of the database has ${formatBytes(free)} left${daysLeft < 7 ? `, enough for ${daysLeft.toFixed(1)} days` : ""}.`
      );
    },
    "Free space, or set HISTORY_DAYS to keep less history.",
  ],
  memory: [
    ({ memory }) =>
      memory !== null &&
      memory.used_bytes > 0.8 * memory.limit_bytes &&
      `The service uses ${formatBytes(memory.used_bytes)} of ${formatBytes(memory.limit_bytes)} of memory.`,
    "Raise the limit (MemoryHigh and MemoryMax, or mem_limit); docs/operations/deploy.md has the sizes.",
  ],
  clock: [
    ({ at, catalog, backup, sources }) => {
      const newest = latest([catalog?.created_at, backup?.at, ...sources.map((source) => source.checked_at)]);
      return (
        hoursBetween(at, newest) > 1 / 12 && `The clock is at ${at}, but the database has an entry from ${newest}.`
      );
    },
    "Set the clock of this machine, for example with timedatectl set-ntp true.",
  ],
  catalog: [
    ({ at, catalog, sources }) => {
      const newest = latest([catalog?.created_at, ...sources.map((source) => source.checked_at)]);
      return hoursBetween(newest, at) > 48 && `No price was imported or confirmed since ${newest}.`;
    },
    "Import a catalog, or enable a live source: gpu-offers-admin source enable --keyless.",
  ],
  keys: [
    ({ keys_expire: [first, ...more] }) =>
      first !== undefined &&
      `An API key in use expires at ${first}${more.length === 0 ? "" : `, and ${more.length} more within 7 days`}.`,
    "Create new ones for their owners; gpu-offers-admin key list shows which.",
  ],
};

/** The rules about a source, of which the first that finds something counts. */
const SOURCE_RULES: Readonly<Record<string, Rule<[Source, OperationFacts]>>> = {
  source_stopped: [
    ({ state }) =>
      (state === "stopped" && "The provider rejected its key.") || (state === "needs_key" && "It has no key."),
    "Set a valid key, or run gpu-offers-admin source disable NAME.",
  ],
  source_quarantined: [
    ({ state }) => state === "quarantined" && "A run would change too much, so it was not applied.",
    "Check it with gpu-offers-admin source show NAME --quarantined.",
  ],
  source_failing: [
    ({ failing_since: since, error }, { at }) =>
      hoursBetween(since, at) >= 6 && `All runs have failed since ${since}: ${error ?? "unknown error."}`,
    "Run gpu-offers-admin source test NAME. If its API has changed, send a recording, or disable it.",
  ],
  source_overdue: [
    ({ is_overdue: isOverdue }) => isOverdue && "Its run is overdue: it doesn't end, or no instance syncs.",
    "Start an instance with LIVE_SYNC=on, or restart it.",
  ],
  source_sells_nothing: [
    ({ state, rentable, changed_at: changedAt }, { at }) =>
      state === "fresh" &&
      rentable === 0 &&
      hoursBetween(changedAt, at) >= 24 &&
      "It has had nothing to rent for a day.",
    "Compare with the provider's own page. If it has closed, run gpu-offers-admin source disable NAME.",
  ],
};

export const RULE_NAMES: readonly string[] = [...Object.keys(RULES), ...Object.keys(SOURCE_RULES)];

/** What needs a person, in the order of the rules and sources. */
export function listFindings(facts: OperationFacts): Finding[] {
  return [
    ...judge(RULES, "", facts),
    ...facts.sources.flatMap((source) => judge(SOURCE_RULES, source.name, source, facts).slice(0, 1)),
  ];
}

function judge<Judged extends unknown[]>(
  rules: Readonly<Record<string, Rule<Judged>>>,
  subject: string,
  ...judged: Judged
): Finding[] {
  return Object.entries(rules).flatMap(([rule, [find, action]]) => {
    const problem = find(...judged);
    return problem === false ? [] : [{ rule, subject, problem, action: action.replace("NAME", subject) }];
  });
}

function latest(times: readonly (string | null | undefined)[]): string | undefined {
  return times
    .flatMap((time) => time ?? [])
    .sort()
    .at(-1);
}

/** Not a number if a time is unknown, so that no rule finds anything. */
function hoursBetween(from: string | null | undefined, to: string | undefined): number {
  return (Date.parse(to ?? "") - Date.parse(from ?? "")) / 3_600_000;
}

/** A number of bytes for people, such as `250.0 MB`. */
export function formatBytes(bytes: number): string {
  const [unit, size] = Math.abs(bytes) >= 1e9 ? ["GB", 1e9] : ["MB", 1e6];
  return `${(bytes / size).toFixed(1)} ${unit}`;
}
