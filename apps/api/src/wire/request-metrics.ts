import { Counter, Gauge, type Registry } from "prom-client";
import type { CatalogResponseCache } from "./catalog-response-cache.js";
import type { Connections } from "./connections.js";
import { Durations, registerDurations } from "./route-durations.js";

/** Route label of requests that matched no route: unknown path or method. */
const UNMATCHED = "unmatched";

/** Counts of one route. */
interface RouteTally {
  route: string;
  durations: Durations;
  countByStatus: Map<number, number>;
}

/** Counts requests and connections. */
export class RequestMetrics {
  readonly #tallies = new Map<string | undefined, RouteTally>();
  readonly #rejected: Counter<"status">;

  constructor(registry: Registry, connections: Connections, cache: CatalogResponseCache) {
    const registers = [registry];
    this.#rejected = new Counter({
      name: "gpu_offers_http_rejected_total",
      help: "Connections rejected because of invalid HTTP or a tunnel request, by status of the response.",
      labelNames: ["status"],
      registers,
    });
    const tallies = this.#tallies;
    registerDurations(registry, () => [...tallies.values()].map(({ route, durations }) => [route, durations]));
    const requests: Counter = new Counter({
      name: "gpu_offers_http_requests_total",
      help: "Completed requests, by route and status.",
      labelNames: ["route", "status"],
      registers,
      collect: () => {
        requests.reset();
        for (const { route, countByStatus } of tallies.values()) {
          for (const [status, count] of countByStatus) {
            requests.inc({ route, status }, count);
          }
        }
      },
    });
    const inFlight: Gauge = new Gauge({
      name: "gpu_offers_http_requests_in_flight",
      help: "Requests in progress.",
      registers,
      collect: () => inFlight.set(connections.inFlight),
    });
    const dropped: Counter = new Counter({
      name: "gpu_offers_http_connections_dropped_total",
      help: "Connections dropped because of too many connections or too many pipelined requests, by reason.",
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
      help: "Open connections, including idle ones.",
      registers,
      collect: () => open.set(connections.open),
    });
    const cachedBytes: Gauge = new Gauge({
      name: "gpu_offers_catalog_memory_bytes",
      help: "Approximate bytes of cached catalog responses.",
      registers,
      collect: () => cachedBytes.set(cache.bytes),
    });
    const sent: Counter = new Counter({
      name: "gpu_offers_catalog_memory_responses_total",
      help: "Catalog responses sent from the cache.",
      registers,
      collect: () => {
        sent.reset();
        sent.inc(cache.sent);
      },
    });
  }

  /** Counts a finished request; `route` is undefined if it matched none. */
  count(route: string | undefined, status: number, durationMs: number): void {
    let tally = this.#tallies.get(route);
    if (tally === undefined) {
      tally = { route: route ?? UNMATCHED, durations: new Durations(), countByStatus: new Map() };
      this.#tallies.set(route, tally);
    }
    tally.countByStatus.set(status, (tally.countByStatus.get(status) ?? 0) + 1);
    tally.durations.observe(durationMs / 1_000);
  }

  /** Counts a connection rejected before routing. */
  countRejected(status: number): void {
    this.#rejected.inc({ status });
  }
}
