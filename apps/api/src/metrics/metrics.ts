import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Logger } from "pino";
import type { Catalog } from "../catalog/catalog.js";
import type { LogOutput } from "../log-output.js";
import type { CreditStore } from "@gpu-offers/store/credit.store";

// The metrics at /metrics. docs/observability.md lists the same ones (a test compares them). Labels must never hold
// values from callers: they are route patterns and statuses, so their number is bounded.

/** Milliseconds for which the newest ledger entry is cached. */
const LEDGER_LIFETIME_MS = 10_000;

/** The parts of the service that are measured. */
interface MetricsParts {
  catalog: Catalog;
  ledger: CreditStore;
  logger: Logger;
  logOutput: Pick<LogOutput, "dropped">;
  /** Version of the software. */
  version: string;
}

/** The metrics of the service, collected for each request to /metrics. */
export class Metrics {
  /** Registry for the metrics of other parts of the service. */
  readonly registry = new Registry();
  readonly #parts: MetricsParts;
  #ledger: { readMs: number; newest: ReturnType<CreditStore["findNewest"]> } | undefined;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#addCatalog();
    this.#addDatabase();
    this.#addLedger();
    this.#addLog();
    this.#addProcess();
    this.#gauge("gpu_offers_info", "Always 1; the label is the running version.", ["version"], (gauge) =>
      gauge.set({ version: parts.version }, 1),
    );
  }

  /** Media type of {@link text}. */
  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  #addCatalog(): void {
    const { catalog } = this.#parts;
    this.#gauge("gpu_offers_catalog_revision", "Revision of the served catalog.", [], (gauge) =>
      setOrOmit(gauge, catalog.snapshot?.revision.revision),
    );
    this.#gauge(
      "gpu_offers_catalog_age_seconds",
      "Seconds since the served catalog revision was created.",
      [],
      (gauge) =>
        setOrOmit(gauge, catalog.snapshot && (Date.now() - Date.parse(catalog.snapshot.revision.createdAt)) / 1_000),
    );
    this.#gauge(
      "gpu_offers_catalog_read_age_seconds",
      "Seconds since the catalog was loaded from the database.",
      [],
      (gauge) => setOrOmit(gauge, catalog.ageSeconds),
    );
    this.#gauge("gpu_offers_catalog_offers", "Number of offers in the served catalog.", [], (gauge) =>
      setOrOmit(gauge, catalog.snapshot?.offerCount),
    );
    this.#gauge("gpu_offers_catalog_providers", "Number of providers in the served catalog.", [], (gauge) =>
      setOrOmit(gauge, catalog.snapshot?.providerCount),
    );
  }

  #addDatabase(): void {
    const { catalog } = this.#parts;
    this.#gauge(
      "gpu_offers_database_up",
      "1 if the database is reachable, otherwise 0; checked every second.",
      [],
      (gauge) => gauge.set(catalog.reach.isReachable ? 1 : 0),
    );
    this.#gauge(
      "gpu_offers_database_last_response_timestamp_seconds",
      "Time of the database's last response.",
      [],
      (gauge) => {
        const { lastReachedAt } = catalog.reach;
        setOrOmit(gauge, lastReachedAt && lastReachedAt.getTime() / 1_000);
      },
    );
  }

  #addLedger(): void {
    this.#gauge(
      "gpu_offers_ledger_last_entry_number",
      "Number of the newest ledger entry, which increases with each entry.",
      [],
      async (gauge) => setOrOmit(gauge, (await this.#newestEntry())?.id),
    );
    this.#gauge(
      "gpu_offers_ledger_last_entry_timestamp_seconds",
      "Time of the newest ledger entry.",
      [],
      async (gauge) => {
        const entry = await this.#newestEntry();
        setOrOmit(gauge, entry && Date.parse(entry.createdAt) / 1_000);
      },
    );
  }

  #addLog(): void {
    const { logOutput } = this.#parts;
    const dropped: Counter = new Counter({
      name: "gpu_offers_log_lines_dropped_total",
      help: "Log lines dropped because the log output was too slow or failed.",
      registers: [this.registry],
      collect: () => {
        dropped.reset();
        dropped.inc(logOutput.dropped);
      },
    });
  }

  /** prom-client's process metrics, without those that only help debug Node itself. */
  #addProcess(): void {
    collectDefaultMetrics({ register: this.registry });
    for (const { name } of this.registry.getMetricsAsArray()) {
      if (/^nodejs_(?:active_|heap_space_)/.test(name)) {
        this.registry.removeSingleMetric(name);
      }
    }
  }

  /** The newest ledger entry, cached for some seconds. An unreachable database is not queried. */
  async #newestEntry(): Promise<{ id: number; createdAt: string } | undefined> {
    const { catalog, ledger, logger } = this.#parts;
    const nowMs = performance.now();
    const isFresh = this.#ledger !== undefined && nowMs - this.#ledger.readMs < LEDGER_LIFETIME_MS;
    if (!isFresh && catalog.reach.isReachable) {
      this.#ledger = {
        readMs: nowMs,
        newest: ledger.findNewest().catch((error: unknown) => {
          logger.warn({ err: error }, "cannot read the ledger for the metrics");
          return undefined;
        }),
      };
    }
    return this.#ledger?.newest;
  }

  #gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: (gauge: Gauge<Label>) => void | Promise<void>,
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: () => read(gauge),
    });
  }
}

/** Sets a gauge. Without a value the gauge is omitted, because 0 would be wrong. */
function setOrOmit(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) {
    gauge.remove();
  } else {
    gauge.set(value);
  }
}
