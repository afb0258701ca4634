import { createHash } from "node:crypto";
import type { SourceStatus } from "@gpu-offers/domain";
import { priceTime, type SourceFacts } from "./source-facts.js";
import { describeSources, isOverdue } from "./source-status.js";
import { isWarning } from "./change-warnings.js";
import { findStale, isSourceStale, type StalePart } from "./staleness.js";

// The age of the served prices, as of one read of the database. Check times change without a new catalog. Only when
// something becomes stale or fresh again does the catalog itself change: stale offers are unavailable.

/** The age of the prices at one point in time. */
export class Freshness {
  readonly stale: readonly StalePart[];
  /** Identifies the set of stale parts; empty if nothing is stale. */
  readonly mark: string;
  /** Identifies what sources state beyond the offers. */
  readonly factsMark: string;
  /** Changes if anything about the ages does, also a state that changes merely with time. */
  readonly key: string;
  readonly #times: ReadonlyMap<string, string | null>;
  readonly #staleProviders: readonly string[];

  constructor(
    private readonly facts: SourceFacts,
    private readonly nowMs: number,
  ) {
    this.stale = findStale(facts, nowMs);
    this.mark =
      this.stale.length === 0 ? "" : createHash("sha256").update(JSON.stringify(this.stale)).digest("hex").slice(0, 8);
    this.#staleProviders = [...new Set(this.stale.map(({ provider }) => provider))];
    this.#times = new Map(facts.providers.map((provider) => [provider.name, priceTime(provider, facts)]));
    this.factsMark = facts.providers.map(({ facts_version }) => facts_version).join(".");
    const states = this.describe(new Map()).map(({ state }) => state);
    const known = { ...facts, quarantined: [...facts.quarantined] };
    this.key = JSON.stringify([known, this.mark, [...this.staleSources], [...this.overdueSources], states]);
  }

  /** The same facts at another time. */
  at(nowMs: number): Freshness {
    return new Freshness(this.facts, nowMs);
  }

  describe(offers: ReadonlyMap<string, number>): SourceStatus[] {
    return describeSources(this.facts, offers, this.nowMs);
  }

  warningsOf(source: string): number {
    return this.facts.sources.find(({ name }) => name === source)?.notes.filter(isWarning).length ?? 0;
  }

  /** Names of enabled sources that had no successful run for too long, for whatever reason, or never. */
  get staleSources(): ReadonlySet<string> {
    const stale = this.facts.sources.filter((source) => source.isEnabled && isSourceStale(source, this.nowMs));
    return new Set(stale.map(({ name }) => name));
  }

  /** Names of sources whose scheduled run is overdue. */
  get overdueSources(): ReadonlySet<string> {
    return new Set(this.facts.sources.filter((source) => isOverdue(source, this.nowMs)).map(({ name }) => name));
  }

  get hasEnabledSource(): boolean {
    return this.facts.sources.some(({ isEnabled }) => isEnabled);
  }

  /** The oldest time of the prices of some providers, undefined if none is known, and those of them with stale offers. */
  ageOf(providers: readonly string[]): { asOf: string | undefined; stale: readonly string[] } {
    let oldest: string | undefined;
    for (const name of providers) {
      const time = this.#times.get(name) ?? oldest;
      oldest = oldest === undefined || (time !== undefined && time < oldest) ? time : oldest;
    }
    return { asOf: oldest, stale: this.#staleProviders.filter((name) => providers.includes(name)) };
  }
}
