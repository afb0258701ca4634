import { totalmem } from "node:os";
import { Injectable, type Provider } from "@nestjs/common";
import { findGpuModel, mergeMarket, type Market } from "@gpu-offers/domain";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { readOperationFacts, type OperationFacts } from "@gpu-offers/store/operation-facts";
import { listFindings } from "@gpu-offers/store/operation-findings";
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { Catalog } from "../catalog/catalog.js";
import { Foundation } from "../foundation.js";
import { ListingViewCache } from "../listings/listing-view.js";
import { addMetrics, secondsSince } from "../wire/read-metric.js";
import { RequestMetrics } from "../wire/request-metrics.js";
import { LiveMetrics } from "./live-metrics.js";

// The metrics at /metrics. docs/observability.md lists the same ones (a test compares them). Labels must never hold
// values from callers: they are route patterns and statuses, so their number is bounded.

/** Milliseconds for which the newest ledger entry and the facts of `gpu-offers-admin doctor` are cached. */
const LEDGER_LIFETIME_MS = 10_000;
const FACTS_LIFETIME_MS = 60_000;

/** The metrics of the service, collected for each request to /metrics. What an operator must know is what doctor shows. */
@Injectable()
export class Metrics {
  constructor(
    private readonly registry: Registry,
    private readonly foundation: Foundation,
    private readonly catalog: Catalog,
    ledger: CreditStore,
  ) {
    const newest = this.#cached("the ledger", LEDGER_LIFETIME_MS, () => ledger.findNewest());
    const facts = this.#cached("the state of the installation", FACTS_LIFETIME_MS, () => this.#readFacts());
    const one = (read: (known: OperationFacts) => number | null | undefined) => async () => {
      const known = await facts();
      return (known && read(known)) ?? undefined;
    };
    const each = (value: (source: OperationFacts["sources"][number]) => number) => async () =>
      ((await facts())?.sources ?? [])
        .map((source) => [{ source: source.name }, value(source)] as const)
        .filter(([, measured]) => !Number.isNaN(measured));
    addMetrics(registry, Gauge, {
      gpu_offers_catalog_revision: ["Revision of the served catalog.", () => catalog.snapshot?.revision.revision],
      gpu_offers_catalog_age_seconds: [
        "Seconds since the served catalog revision was created.",
        () => secondsSince(catalog.snapshot?.revision.created_at),
      ],
      gpu_offers_catalog_read_age_seconds: [
        "Seconds since the catalog was loaded from the database.",
        () => catalog.ageSeconds,
      ],
      gpu_offers_catalog_offers: ["Number of offers in the served catalog.", () => catalog.snapshot?.offerCount],
      gpu_offers_catalog_providers: [
        "Number of providers in the served catalog.",
        () => catalog.snapshot?.providerCount,
      ],
      gpu_offers_database_up: [
        "1 if the database is reachable, otherwise 0; checked every second.",
        () => (catalog.reach.isReachable ? 1 : 0),
      ],
      gpu_offers_database_last_response_timestamp_seconds: [
        "Time of the database's last response.",
        () => catalog.reach.lastReachedAt && catalog.reach.lastReachedAt.getTime() / 1_000,
      ],
      gpu_offers_ledger_last_entry_number: [
        "Number of the newest ledger entry, which increases with each entry.",
        async () => (await newest())?.id,
      ],
      gpu_offers_ledger_last_entry_timestamp_seconds: [
        "Time of the newest ledger entry.",
        async () => secondsOf((await newest())?.createdAt),
      ],
      gpu_offers_info: ["Always 1; the label is the running version.", () => [[{ version: foundation.version }, 1]]],
      gpu_offers_finding: [
        "1 for each finding of gpu-offers-admin doctor: its rule, and the source that it is about.",
        async () => {
          const known = await facts();
          return (known === undefined ? [] : listFindings(known)).map(({ rule, subject }) => [{ rule, subject }, 1]);
        },
      ],
      gpu_offers_source_good_run_ratio: [
        "Share of a source's runs in the last 24 hours that applied or confirmed offers.",
        each(({ runs, good_runs: good }) => good / runs),
      ],
      gpu_offers_source_rentable_offers: ["Offers of a source that can be rented.", each(({ rentable }) => rentable)],
      gpu_offers_backup_last_verified_timestamp_seconds: [
        "Time of the last verified backup.",
        one(({ backup }) => secondsOf(backup?.at)),
      ],
      gpu_offers_database_bytes: ["Size of the database.", one((known) => known.database_bytes)],
      gpu_offers_database_growth_bytes_per_day: [
        "Growth of the database since a backup of the last week.",
        one((known) => known.bytes_a_day),
      ],
      gpu_offers_disk_free_bytes: ["Free space beside the SQLite database.", one((known) => known.disk_free_bytes)],
      gpu_offers_memory_limit_bytes: ["Memory that the process may use.", memoryLimit],
    });
    addMetrics(registry, Counter, {
      gpu_offers_log_lines_dropped_total: [
        "Log lines dropped because the log output was too slow or failed.",
        () => foundation.log.output.dropped,
      ],
    });
    // prom-client's process metrics, without those that only help debug Node itself.
    collectDefaultMetrics({ register: registry });
    for (const { name } of registry.getMetricsAsArray()) {
      if (/^nodejs_(?:active_|heap_space_)/.test(name)) {
        registry.removeSingleMetric(name);
      }
    }
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Reads something at most once in a time. An unreachable database isn't queried, and what was read last stays. */
  #cached<T>(what: string, lifetimeMs: number, read: () => Promise<T>): () => Promise<T | undefined> {
    let readMs = -Infinity;
    let last: Promise<T | undefined> = Promise.resolve(undefined);
    return () => {
      const nowMs = performance.now();
      if (nowMs - readMs >= lifetimeMs && this.catalog.reach.isReachable) {
        const before = last;
        readMs = nowMs;
        last = read().catch((error: unknown) => {
          this.foundation.log.logger.warn({ err: error }, `cannot read ${what} for the metrics`);
          return before;
        });
      }
      return last;
    };
  }

  #readFacts(): Promise<OperationFacts> {
    const { config, database } = this.foundation;
    const rentable = new Map<string, number>();
    for (const { provider, prices } of this.catalog.snapshot?.market ?? []) {
      rentable.set(provider, (rentable.get(provider) ?? 0) + prices.length);
    }
    const memory = { used_bytes: process.memoryUsage.rss(), limit_bytes: memoryLimit() };
    return readOperationFacts(database, { url: config.DATABASE_URL, memory, rentable });
  }
}

/** Seconds since 1970 of a time in ISO 8601. */
function secondsOf(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at) / 1_000;
}

/** The limit of the process's control group, or the memory of the machine. */
function memoryLimit(): number {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}

export const METRICS: Provider[] = [{ provide: Registry, useClass: Registry }, Metrics, RequestMetrics, LiveMetrics];

/**
 * Prometheus metrics of prices, on request (PRICE_METRICS): three series for each family of GPUs that one can rent. Families
 * are those of the table of models, and slugs of listed GPUs that it doesn't have, never values from callers.
 */
@Injectable()
export class PriceMetrics {
  constructor(registry: Registry, catalog: Catalog, views: ListingViewCache) {
    /** The market of each family; empty before the first catalog. */
    const markets = (): [family: string, Market][] => {
      if (catalog.snapshot === undefined) {
        return [];
      }
      const { snapshot, ageOf } = views.get().market;
      const families = Map.groupBy(snapshot.market, ({ gpu }) => findGpuModel(gpu.slug)?.family ?? gpu.slug);
      return [...families].map(([family, parts]) => [family, mergeMarket(parts, ageOf)]);
    };
    addMetrics(registry, Gauge, {
      gpu_offers_price_usd: [
        "Price per GPU and hour of what one can rent, by family and stat: min or median.",
        () =>
          markets().flatMap(([family, { pricePerGpu }]) =>
            pricePerGpu === null
              ? []
              : (["min", "median"] as const).map((stat) => [{ family, stat }, pricePerGpu[stat]] as const),
          ),
      ],
      gpu_offers_rentable_offers: [
        "Number of offers that one can rent, by family.",
        () => markets().map(([family, { rentable }]) => [{ family }, rentable] as const),
      ],
    });
  }
}
