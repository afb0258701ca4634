import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { CatalogMemory } from "./catalog-memory.js";
import type { Connections } from "./connections.js";

/** The route of requests that matched none of ours: an unknown path, another method. */
const UNMATCHED = "unmatched";

/** Upper bounds of the latency buckets in seconds: a response of the catalog takes well below a millisecond. */
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Requests of one route. The label objects are made once, not for each request. */
interface RouteTally {
  labels: { route: string };
  countByStatus: Map<number, number>;
}

/** Counts requests and connections. */
export class RequestMetrics {
  readonly #tallies = new Map<string | undefined, RouteTally>();
  readonly #duration: Histogram<"route">;
  readonly #rejected: Counter<"status">;

  constructor(registry: Registry, connections: Connections, memory: CatalogMemory) {
    const registers = [registry];
    this.#duration = new Histogram({
      name: "gpu_offers_http_request_duration_seconds",
      help: "Seconds from the head of a request to the end of its response, by route.",
      labelNames: ["route"],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#rejected = new Counter({
      name: "gpu_offers_http_refused_total",
      help: "Connections whose bytes were no HTTP request or asked for a tunnel, by the status of the response.",
      labelNames: ["status"],
      registers,
    });
    const tallies = this.#tallies;
    const requests: Counter = new Counter({
      name: "gpu_offers_http_requests_total",
      help: "Requests with a response, by route and status.",
      labelNames: ["route", "status"],
      registers,
      collect: () => {
        requests.reset();
        for (const { labels, countByStatus } of tallies.values()) {
          for (const [status, count] of countByStatus) {
            requests.inc({ ...labels, status }, count);
          }
        }
      },
    });
    const inFlight: Gauge = new Gauge({
      name: "gpu_offers_http_requests_in_flight",
      help: "Requests without a complete response.",
      registers,
      collect: () => inFlight.set(connections.inFlight),
    });
    const dropped: Counter = new Counter({
      name: "gpu_offers_http_connections_dropped_total",
      help: "Connections dropped because too many were open, or too many of their requests waited, by reason.",
      labelNames: ["reason"],
      registers,
      collect: () => {
        dropped.reset();
        dropped.inc({ reason: "too_many_connections" }, connections.dropped);
        dropped.inc({ reason: "too_many_requests" }, connections.overrun);
      },
    });
    const open: Gauge = new Gauge({
      name: "gpu_offers_http_connections_open",
      help: "Open connections, idle ones included.",
      registers,
      collect: () => open.set(connections.open),
    });
    const remembered: Gauge = new Gauge({
      name: "gpu_offers_catalog_memory_bytes",
      help: "Bytes of the catalog responses that are remembered, roughly.",
      registers,
      collect: () => remembered.set(memory.bytes),
    });
    const sent: Counter = new Counter({
      name: "gpu_offers_catalog_memory_responses_total",
      help: "Catalog responses sent from memory.",
      registers,
      collect: () => {
        sent.reset();
        sent.inc(memory.sent);
      },
    });
  }

  /** Counts a request that is over; `route` is undefined if it matched none. */
  count(route: string | undefined, status: number, durationMs: number): void {
    let tally = this.#tallies.get(route);
    if (tally === undefined) {
      tally = { labels: { route: route ?? UNMATCHED }, countByStatus: new Map() };
      this.#tallies.set(route, tally);
    }
    tally.countByStatus.set(status, (tally.countByStatus.get(status) ?? 0) + 1);
    this.#duration.observe(tally.labels, durationMs / 1_000);
  }

  /** Counts a connection that was rejected before any route. */
  countRejected(status: number): void {
    this.#rejected.inc({ status });
  }
}
