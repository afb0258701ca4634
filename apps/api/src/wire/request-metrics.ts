import { Injectable } from "@nestjs/common";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { CatalogResponseCache } from "./catalog-response-cache.js";
import { Connections } from "./connections.js";
import { addMetrics } from "./read-metric.js";

/** Route label of requests that matched no route: unknown path or method. */
const UNMATCHED = "unmatched";

/** Upper bounds of the latency buckets in seconds. Catalog responses take well below a millisecond. */
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Counts requests and connections. */
@Injectable()
export class RequestMetrics {
  readonly #rejected: Counter<"status">;
  readonly #requests: Counter<"route" | "status">;
  readonly #durations: Histogram<"route">;

  constructor(registry: Registry, connections: Connections, cache: CatalogResponseCache) {
    const registers = [registry];
    this.#rejected = new Counter({
      name: "gpu_offers_http_rejected_total",
      help: "Connections rejected because of invalid HTTP or a tunnel request, by status of the response.",
      labelNames: ["status"],
      registers,
    });
    this.#durations = new Histogram({
      name: "gpu_offers_http_request_duration_seconds",
      help: "Seconds from the request's headers to the end of the response, by route.",
      labelNames: ["route"],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#requests = new Counter({
      name: "gpu_offers_http_requests_total",
      help: "Completed requests, by route and status.",
      labelNames: ["route", "status"],
      registers,
    });
    addMetrics(registry, Counter, {
      gpu_offers_http_connections_dropped_total: [
        "Connections dropped because of too many connections, pipelined requests or unread bytes, by reason.",
        () => Object.entries(connections.dropped).map(([reason, count]) => [{ reason }, count] as const),
      ],
      gpu_offers_catalog_memory_responses_total: ["Catalog responses sent from the cache.", () => cache.sent],
    });
    addMetrics(registry, Gauge, {
      gpu_offers_http_requests_in_flight: ["Requests in progress.", () => connections.inFlight],
      gpu_offers_http_connections_open: ["Open connections, including idle ones.", () => connections.open],
      gpu_offers_catalog_memory_bytes: ["Approximate bytes of cached catalog responses.", () => cache.bytes],
    });
  }

  /** Counts a finished request; `route` is undefined if it matched none. */
  count(route = UNMATCHED, status: number, durationMs: number): void {
    this.#requests.inc({ route, status });
    this.#durations.observe({ route }, durationMs / 1_000);
  }

  /** Counts a connection rejected before routing. */
  countRejected(status: number): void {
    this.#rejected.inc({ status });
  }
}
