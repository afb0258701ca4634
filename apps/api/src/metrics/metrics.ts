import { Injectable, type Provider } from "@nestjs/common";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { collectDefaultMetrics, Registry } from "prom-client";
import { Catalog } from "../catalog/catalog.js";
import { Foundation } from "../foundation.js";
import { addCounters, addGauges } from "../wire/read-metric.js";
import { RequestMetrics } from "../wire/request-metrics.js";
import { LiveMetrics } from "./live-metrics.js";
import { OperationMetrics } from "./operation-metrics.js";

// The metrics at /metrics. docs/observability.md lists the same ones (a test compares them). Labels must never hold
// values from callers: they are route patterns and statuses, so their number is bounded.

/** Milliseconds for which the newest ledger entry is cached. */
const LEDGER_LIFETIME_MS = 10_000;

/** The metrics of the service, collected for each request to /metrics. */
@Injectable()
export class Metrics {
  #ledger: { readMs: number; newest: ReturnType<CreditStore["findNewest"]> } | undefined;

  constructor(
    private readonly registry: Registry,
    private readonly foundation: Foundation,
    private readonly catalog: Catalog,
    private readonly ledger: CreditStore,
  ) {
    addGauges(
      registry,
      ["gpu_offers_catalog_revision", "Revision of the served catalog.", () => catalog.snapshot?.revision.revision],
      [
        "gpu_offers_catalog_age_seconds",
        "Seconds since the served catalog revision was created.",
        () => catalog.snapshot && (Date.now() - Date.parse(catalog.snapshot.revision.createdAt)) / 1_000,
      ],
      [
        "gpu_offers_catalog_read_age_seconds",
        "Seconds since the catalog was loaded from the database.",
        () => catalog.ageSeconds,
      ],
      ["gpu_offers_catalog_offers", "Number of offers in the served catalog.", () => catalog.snapshot?.offerCount],
      [
        "gpu_offers_catalog_providers",
        "Number of providers in the served catalog.",
        () => catalog.snapshot?.providerCount,
      ],
      [
        "gpu_offers_database_up",
        "1 if the database is reachable, otherwise 0; checked every second.",
        () => (catalog.reach.isReachable ? 1 : 0),
      ],
      [
        "gpu_offers_database_last_response_timestamp_seconds",
        "Time of the database's last response.",
        () => catalog.reach.lastReachedAt && catalog.reach.lastReachedAt.getTime() / 1_000,
      ],
      [
        "gpu_offers_ledger_last_entry_number",
        "Number of the newest ledger entry, which increases with each entry.",
        async () => (await this.#newestEntry())?.id,
      ],
      [
        "gpu_offers_ledger_last_entry_timestamp_seconds",
        "Time of the newest ledger entry.",
        async () => {
          const entry = await this.#newestEntry();
          return entry && Date.parse(entry.createdAt) / 1_000;
        },
      ],
      [
        "gpu_offers_info",
        "Always 1; the label is the running version.",
        () => [[{ version: foundation.version }, 1]],
        ["version"],
      ],
    );
    addCounters(registry, [
      "gpu_offers_log_lines_dropped_total",
      "Log lines dropped because the log output was too slow or failed.",
      () => foundation.log.output.dropped,
    ]);
    // prom-client's process metrics, without those that only help debug Node itself.
    collectDefaultMetrics({ register: registry });
    for (const { name } of registry.getMetricsAsArray()) {
      if (/^nodejs_(?:active_|heap_space_)/.test(name)) {
        registry.removeSingleMetric(name);
      }
    }
  }

  /** Media type of {@link text}. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** The newest ledger entry, cached for some seconds. An unreachable database is not queried. */
  async #newestEntry(): Promise<{ id: number; createdAt: string } | undefined> {
    const nowMs = performance.now();
    const isFresh = this.#ledger !== undefined && nowMs - this.#ledger.readMs < LEDGER_LIFETIME_MS;
    if (!isFresh && this.catalog.reach.isReachable) {
      this.#ledger = {
        readMs: nowMs,
        newest: this.ledger.findNewest().catch((error: unknown) => {
          this.foundation.log.logger.warn({ err: error }, "cannot read the ledger for the metrics");
          return undefined;
        }),
      };
    }
    return this.#ledger?.newest;
  }
}

/** What METRICS=on needs. */
export const METRICS: Provider[] = [
  { provide: Registry, useClass: Registry },
  Metrics,
  RequestMetrics,
  LiveMetrics,
  OperationMetrics,
];
