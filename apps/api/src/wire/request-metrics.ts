import { Counter, Gauge, type Registry } from "prom-client";
import type { CatalogMemory } from "./catalog-memory.js";
import type { Connections } from "./connections.js";
import { Durations, registerDurations } from "./route-durations.js";

/** The route of requests that matched none of ours: an unknown path, another method. */
const UNMATCHED = "unmatched";

/** Requests of one route. */
interface RouteTally {
  route: string;
  durations: Durations;
  countByStatus: Map<number, number>;
}

/** Counts requests and connections. */
export class RequestMetrics {
  readonly #tallies = new Map<string | undefined, RouteTally>();
  readonly #rejected: Counter<"status">;

  constructor(registry: Registry, connections: Connections, memory: CatalogMemory) {
    const registers = [registry];
    this.#rejected = new Counter({
      name: "gpu_offers_http_rejected_total",
      help: "Connections whose bytes were no HTTP request or asked for a tunnel, by the status of the response.",
      labelNames: ["status"],
      registers,
    });
    const tallies = this.#tallies;
    registerDurations(registry, () => [...tallies.values()].map(({ route, durations }) => [route, durations]));
    const requests: Counter = new Counter({
      name: "gpu_offers_http_requests_total",
      help: "Requests with a response, by route and status.",
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
      tally = { route: route ?? UNMATCHED, durations: new Durations(), countByStatus: new Map() };
      this.#tallies.set(route, tally);
    }
    tally.countByStatus.set(status, (tally.countByStatus.get(status) ?? 0) + 1);
    tally.durations.observe(durationMs / 1_000);
  }

  /** Counts a connection that was rejected before any route. */
  countRejected(status: number): void {
    this.#rejected.inc({ status });
  }
}
