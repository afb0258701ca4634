import { totalmem } from "node:os";
import { Injectable } from "@nestjs/common";
import { Registry } from "prom-client";
import { readOperationFacts, type OperationFacts } from "@gpu-offers/store/operation-facts";
import { listFindings } from "@gpu-offers/store/operation-findings";
import { Catalog } from "../catalog/catalog.js";
import { Foundation } from "../foundation.js";
import { addGauges } from "../wire/read-metric.js";

/** Milliseconds for which the facts are cached. */
const FACTS_LIFETIME_MS = 60_000;

/** Prometheus metrics of what an operator must know: what `gpu-offers-admin doctor` shows, by the same rules. */
@Injectable()
export class OperationMetrics {
  #facts: OperationFacts | undefined;
  #readMs = -Infinity;

  constructor(
    registry: Registry,
    private readonly foundation: Foundation,
    private readonly catalog: Catalog,
  ) {
    type Read<Value> = (facts: OperationFacts) => Value;
    /** A value; null is unknown. */
    const one = (read: Read<number | null | undefined>) => async () => {
      const facts = await this.#read();
      return (facts && read(facts)) ?? undefined;
    };
    /** A value of each source that has it. */
    const each = (value: (source: OperationFacts["sources"][number]) => number) => async () =>
      ((await this.#read())?.sources ?? [])
        .map((source) => [{ source: source.name }, value(source)] as const)
        .filter(([, measured]) => !Number.isNaN(measured));
    addGauges(
      registry,
      [
        "gpu_offers_finding",
        "1 for each finding of gpu-offers-admin doctor: its rule, and the source that it is about.",
        async () => {
          const facts = await this.#read();
          return (facts === undefined ? [] : listFindings(facts)).map(({ rule, subject }) => [{ rule, subject }, 1]);
        },
        ["rule", "subject"],
      ],
      [
        "gpu_offers_source_good_run_ratio",
        "Share of a source's runs in the last 24 hours that applied or confirmed offers.",
        each(({ runs, good_runs: good }) => good / runs),
        ["source"],
      ],
      [
        "gpu_offers_source_rentable_offers",
        "Offers of a source that can be rented.",
        each(({ rentable }) => rentable),
        ["source"],
      ],
      [
        "gpu_offers_backup_last_verified_timestamp_seconds",
        "Time of the last verified backup.",
        one(({ backup }) => backup && Date.parse(backup.at) / 1_000),
      ],
      ["gpu_offers_database_bytes", "Size of the database.", one((facts) => facts.database_bytes)],
      [
        "gpu_offers_database_growth_bytes_per_day",
        "Growth of the database since a backup of the last week.",
        one((facts) => facts.bytes_a_day),
      ],
      ["gpu_offers_disk_free_bytes", "Free space beside the SQLite database.", one((facts) => facts.disk_free_bytes)],
      ["gpu_offers_memory_limit_bytes", "Memory that the process may use.", memoryLimit],
    );
  }

  /** The facts, cached for a minute. While the database is unreachable, these are the last ones. */
  async #read(): Promise<OperationFacts | undefined> {
    const nowMs = performance.now();
    if (nowMs - this.#readMs >= FACTS_LIFETIME_MS && this.catalog.reach.isReachable) {
      this.#readMs = nowMs;
      const { config, database, log } = this.foundation;
      const rentable = new Map<string, number>();
      for (const { provider, prices } of this.catalog.snapshot?.market ?? []) {
        rentable.set(provider, (rentable.get(provider) ?? 0) + prices.length);
      }
      const memory = { used_bytes: process.memoryUsage.rss(), limit_bytes: memoryLimit() };
      try {
        this.#facts = await readOperationFacts(database, { url: config.DATABASE_URL, memory, rentable });
      } catch (error) {
        log.logger.warn({ err: error }, "cannot read the state of the installation for the metrics");
      }
    }
    return this.#facts;
  }
}

/** The limit of the process's control group, or the memory of the machine. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
