import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Logger } from "pino";
import type { Catalog } from "../catalog/catalog.js";
import type { Connections } from "../http/connections.js";
import type { Database } from "../store/database.js";
import { findNewestEntry } from "../store/ledger.store.js";

// What /metrics says. docs/observability.md has the same metrics (a test compares them). No label may hold what a
// caller sends: the labels are route patterns and statuses, so their number is that of the code's own.

/** The route of requests that none of ours took: an unknown path, another method. */
const UNMATCHED = "unmatched";

/** Upper bounds of the latency buckets, in seconds: an answer of the catalog takes well below a millisecond. */
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Milliseconds that what was read of the ledger is told again without asking the database. */
const LEDGER_LIFETIME_MS = 10_000;

/** What there is to measure. */
export interface MetricsParts {
  catalog: Catalog;
  connections: Connections;
  database: Database;
  logger: Logger;
  /** Version of the software. */
  version: string;
}

/** Requests of one route. The label objects are made once, not for each request. */
interface RouteTally {
  labels: { route: string };
  countByStatus: Map<number, number>;
}

/** Counts requests, and reads everything else when somebody asks. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #tallies = new Map<string | undefined, RouteTally>();
  readonly #duration = new Histogram({
    name: "gpu_offers_http_request_duration_seconds",
    help: "Seconds from the head of a request to the end of its answer, by route.",
    labelNames: ["route"],
    buckets: BUCKETS_SECONDS,
    registers: [this.#registry],
  });
  readonly #refused = new Counter({
    name: "gpu_offers_http_refused_total",
    help: "Connections whose bytes were no HTTP request or asked for a tunnel, by the status they were answered with.",
    labelNames: ["status"],
    registers: [this.#registry],
  });
  readonly #parts: MetricsParts;
  #ledger: { readMs: number; newest: ReturnType<typeof findNewestEntry> } | undefined;

  constructor(parts: MetricsParts) {
    this.#parts = parts;
    this.#addHttp();
    this.#addCatalog();
    this.#addDatabase();
    this.#addLedger();
    this.#addProcess();
    this.#gauge("gpu_offers_info", "Always 1; the label says which version runs.", ["version"], (gauge) =>
      gauge.set({ version: parts.version }, 1),
    );
  }

  /** Media type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Counts an answered request; `route` is the pattern of its path, undefined when it has none. */
  count(route: string | undefined, status: number, durationMs: number): void {
    let tally = this.#tallies.get(route);
    if (tally === undefined) {
      tally = { labels: { route: route ?? UNMATCHED }, countByStatus: new Map() };
      this.#tallies.set(route, tally);
    }
    tally.countByStatus.set(status, (tally.countByStatus.get(status) ?? 0) + 1);
    this.#duration.observe(tally.labels, durationMs / 1_000);
  }

  /** Counts a connection that was refused before any route. */
  countRefused(status: number): void {
    this.#refused.inc({ status });
  }

  #addHttp(): void {
    const { connections } = this.#parts;
    const tallies = this.#tallies;
    const requests: Counter = new Counter({
      name: "gpu_offers_http_requests_total",
      help: "Answered requests, by route and status.",
      labelNames: ["route", "status"],
      registers: [this.#registry],
      collect: () => {
        requests.reset();
        for (const { labels, countByStatus } of tallies.values()) {
          for (const [status, count] of countByStatus) {
            requests.inc({ ...labels, status }, count);
          }
        }
      },
    });
    this.#gauge("gpu_offers_http_requests_in_flight", "Requests that are not answered yet.", [], (gauge) =>
      gauge.set(connections.inFlight),
    );
    const dropped: Counter = new Counter({
      name: "gpu_offers_http_connections_dropped_total",
      help: "Connections dropped because too many were open, or too many of their requests waited, by reason.",
      labelNames: ["reason"],
      registers: [this.#registry],
      collect: () => {
        dropped.reset();
        dropped.inc({ reason: "too_many_connections" }, connections.dropped);
        dropped.inc({ reason: "too_many_requests" }, connections.overrun);
      },
    });
    this.#gauge("gpu_offers_http_connections_open", "Connections that are open, idle ones included.", [], (gauge) =>
      gauge.set(connections.open),
    );
  }

  #addCatalog(): void {
    const { catalog } = this.#parts;
    this.#gauge("gpu_offers_catalog_revision", "Number of the catalog that is served.", [], (gauge) =>
      setOrLeaveOut(gauge, catalog.snapshot?.revision.revision),
    );
    this.#gauge("gpu_offers_catalog_age_seconds", "Seconds since that catalog was made.", [], (gauge) =>
      setOrLeaveOut(gauge, catalog.snapshot && (Date.now() - Date.parse(catalog.snapshot.revision.createdAt)) / 1_000),
    );
    this.#gauge("gpu_offers_catalog_read_age_seconds", "Seconds since it was read from the database.", [], (gauge) =>
      setOrLeaveOut(gauge, catalog.ageSeconds),
    );
    this.#gauge("gpu_offers_catalog_offers", "Offers in it.", [], (gauge) =>
      setOrLeaveOut(gauge, catalog.snapshot?.offerCount),
    );
    this.#gauge("gpu_offers_catalog_providers", "Providers in it.", [], (gauge) =>
      setOrLeaveOut(gauge, catalog.snapshot?.providerCount),
    );
  }

  #addDatabase(): void {
    const { catalog } = this.#parts;
    this.#gauge("gpu_offers_database_up", "1 while the database answers, which is tried every second.", [], (gauge) =>
      gauge.set(catalog.reach.isReachable ? 1 : 0),
    );
    this.#gauge("gpu_offers_database_last_answer_timestamp_seconds", "When it last answered.", [], (gauge) => {
      const { lastReachedMs } = catalog.reach;
      setOrLeaveOut(gauge, lastReachedMs && lastReachedMs / 1_000);
    });
  }

  #addLedger(): void {
    this.#gauge(
      "gpu_offers_ledger_last_entry_number",
      "Number of the newest ledger entry; it grows with each.",
      [],
      async (gauge) => setOrLeaveOut(gauge, (await this.#newestEntry())?.id),
    );
    this.#gauge(
      "gpu_offers_ledger_last_entry_timestamp_seconds",
      "When the newest ledger entry was written.",
      [],
      async (gauge) => {
        const entry = await this.#newestEntry();
        setOrLeaveOut(gauge, entry && Date.parse(entry.createdAt) / 1_000);
      },
    );
  }

  /** The process as prom-client sees it, without what only helps to debug Node itself. */
  #addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
    for (const { name } of this.#registry.getMetricsAsArray()) {
      if (/^nodejs_(?:active_|heap_space_)/.test(name)) {
        this.#registry.removeSingleMetric(name);
      }
    }
  }

  /** The newest entry as it was at most some seconds ago. A database that is gone is not asked. */
  async #newestEntry(): Promise<{ id: number; createdAt: string } | undefined> {
    const { catalog, database, logger } = this.#parts;
    const nowMs = Date.now();
    const isFresh = this.#ledger !== undefined && nowMs - this.#ledger.readMs < LEDGER_LIFETIME_MS;
    if (!isFresh && catalog.reach.isReachable) {
      this.#ledger = {
        readMs: nowMs,
        newest: findNewestEntry(database).catch((error: unknown) => {
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
      registers: [this.#registry],
      collect: () => read(gauge),
    });
  }
}

/** Sets a gauge; without a value it says nothing at all, since 0 would be a false statement. */
function setOrLeaveOut(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) {
    gauge.remove();
  } else {
    gauge.set(value);
  }
}
