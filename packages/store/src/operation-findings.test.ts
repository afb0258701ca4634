import { expect, test } from "vitest";
import type { OperationFacts } from "./operation-facts.js";
import { listFindings, RULE_NAMES } from "./operation-findings.js";

const NOW = Date.UTC(2026, 10, 26, 12);
const hoursAgo = (hours: number): string => new Date(NOW - hours * 3_600_000).toISOString();

const source: OperationFacts["sources"][number] = {
  name: "vast",
  state: "fresh",
  error: null,
  is_overdue: false,
  runs: 24,
  good_runs: 24,
  failing_since: null,
  checked_at: hoursAgo(1),
  changed_at: hoursAgo(30),
  rentable: 3,
};
const catalog = { revision: 9, created_at: hoursAgo(30) };
const backup = { at: hoursAgo(30), bytes: 1e6, database_bytes: 1e7, place: "/b" };
const healthy: OperationFacts = {
  at: hoursAgo(0),
  catalog,
  installed_at: hoursAgo(900),
  sources: [source],
  backup,
  database_bytes: 1e7,
  bytes_a_day: 1e9,
  disk_free_bytes: 8e9,
  keys_expire: [],
  memory: { used_bytes: 79, limit_bytes: 100 },
};

/** What each rule finds, and the nearest states in which it finds nothing. */
const CASES: Record<string, { sick: Partial<OperationFacts>[]; well?: Partial<OperationFacts>[] }> = {
  backup: {
    sick: [{ backup: { ...backup, at: hoursAgo(36.1) } }, { backup: null }],
    well: [{ backup: { ...backup, at: hoursAgo(35.9) } }, { backup: null, installed_at: hoursAgo(35) }],
  },
  disk: {
    sick: [{ disk_free_bytes: 6.9e9 }, { disk_free_bytes: 1e8, bytes_a_day: null }],
    well: [{ disk_free_bytes: 3e8, bytes_a_day: -5 }, { disk_free_bytes: null }],
  },
  memory: { sick: [{ memory: { used_bytes: 81, limit_bytes: 100 } }], well: [{ memory: null }] },
  clock: {
    sick: [{ backup: { ...backup, at: hoursAgo(-0.1) } }],
    well: [{ backup: { ...backup, at: hoursAgo(-0.05) } }],
  },
  catalog: {
    sick: [{ sources: [], catalog: { ...catalog, created_at: hoursAgo(49) } }],
    well: [{ catalog: { ...catalog, created_at: hoursAgo(49) } }, { sources: [], catalog: null }],
  },
  keys: { sick: [{ keys_expire: [hoursAgo(-40)] }, { keys_expire: [hoursAgo(-40), hoursAgo(-50)] }] },
  source_stopped: { sick: [withSource({ state: "stopped" }), withSource({ state: "needs_key" })] },
  source_quarantined: { sick: [withSource({ state: "quarantined" })] },
  source_failing: {
    sick: [withSource({ state: "failing", failing_since: hoursAgo(6), error: "It timed out." })],
    well: [withSource({ state: "failing", failing_since: hoursAgo(5.9) })],
  },
  source_overdue: { sick: [withSource({ is_overdue: true })] },
  source_sells_nothing: {
    sick: [withSource({ rentable: 0 })],
    well: [withSource({ rentable: 0, changed_at: hoursAgo(23) })],
  },
};

function withSource(changes: Partial<typeof source>): Partial<OperationFacts> {
  return { sources: [{ ...source, ...changes }] };
}

const findingsOf = (changes: Partial<OperationFacts>) => listFindings({ ...healthy, ...changes });
const rulesOf = (changes: Partial<OperationFacts>): string[] => findingsOf(changes).map(({ rule }) => rule);

test("a healthy installation has no finding, and every rule has a case", () => {
  expect(rulesOf({})).toEqual([]);
  expect(Object.keys(CASES)).toEqual(RULE_NAMES);
});

test.for(Object.entries(CASES))("%s", ([rule, { sick, well = [] }]) => {
  expect(sick.map(rulesOf)).toEqual(sick.map(() => [rule]));
  expect(well.flatMap(rulesOf)).toEqual([]);
  for (const { problem, action } of sick.flatMap(findingsOf)) {
    expect([problem, action]).toEqual([expect.stringMatching(/^[A-Z].+\.$/), expect.stringMatching(/^[A-Z].+\.$/)]);
    expect(action).not.toContain("NAME");
  }
});
