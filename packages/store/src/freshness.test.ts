import { expect, test } from "vitest";
import { Freshness } from "./freshness.js";
import type { ProviderOrigin, SourceFacts } from "./source-facts.js";

const imported = (name: string, asOf: string | null): ProviderOrigin => ({
  name,
  type: "vm",
  source: null,
  as_of: asOf,
  imported_at: "2026-11-03T12:00:00.000Z",
  facts_version: 0,
  is_sample: 0,
});

const facts: SourceFacts = {
  sources: [],
  quarantined: new Set(),
  providers: [
    imported("aurora", "2026-11-03"),
    imported("borealis", "2026-11-01"),
    imported("cirrus", null),
    imported("dune", "2026-11-02"),
  ],
  oldParts: [],
};

test.each<[providers: string[], asOf: string | undefined]>([
  [["aurora", "borealis", "cirrus", "dune"], "2026-11-01T00:00:00.000Z"],
  [["aurora", "dune"], "2026-11-02T00:00:00.000Z"],
  [["dune", "aurora"], "2026-11-02T00:00:00.000Z"],
  [["aurora"], "2026-11-03T00:00:00.000Z"],
  [["cirrus"], undefined],
  [[], undefined],
])("the prices of %j are as old as the oldest of them", (providers, asOf) => {
  const freshness = new Freshness(facts, Date.UTC(2026, 10, 4));
  expect(freshness.ageOf(providers)).toEqual({ asOf, stale: [] });
});

test.each([
  [{}, 1, "2026-11-01T00:00:00.000Z"],
  [{ as_of: null }, 1, "2026-11-03T12:00:00.000Z"],
  [{ as_of: "2027-01-01" }, 1, "2026-11-03T12:00:00.000Z"],
  [{ is_sample: 1 }, 1, null],
  [{}, 0, null],
  [{ imported_at: null }, 1, null],
])("a file %j with %i offers was last seen to offer some at %j, which is no word on stock", (changes, count, at) => {
  const provider = { ...imported("aurora", "2026-11-01"), ...changes };
  const freshness = new Freshness({ ...facts, providers: [provider] }, Date.UTC(2026, 10, 4));
  expect(freshness.describe(new Map([["aurora", count]]))).toMatchObject([{ lastOfferedAt: at, lastInStockAt: null }]);
});
