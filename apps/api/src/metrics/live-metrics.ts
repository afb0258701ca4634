import { AVAILABILITIES, ListingIndex } from "@gpu-offers/domain";
import { Injectable } from "@nestjs/common";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { Catalog } from "../catalog/catalog.js";
import { addMetrics, secondsSince } from "../wire/read-metric.js";
import type { LiveEvent } from "@gpu-offers/sync/live-run";

/** Upper bounds of the run time buckets, in seconds; a run takes 180 s at most. */
const RUN_BUCKETS_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 180];

type Source = ReturnType<Catalog["freshness"]["describe"]>[number];

/** Prometheus metrics of live sources. Labels are names of sources, outcomes and statuses, never values from callers. */
@Injectable()
export class LiveMetrics {
  readonly #runs: Counter;
  readonly #requests: Counter;
  readonly #seconds: Histogram;
  /** Whether the last runs could be stored; undefined before the first. */
  #isWorking: boolean | undefined;

  constructor(registry: Registry, catalog: Catalog) {
    const registers = [registry];
    this.#runs = new Counter({
      name: "gpu_offers_source_runs_total",
      help: "Runs of live sources by this instance, by source and outcome.",
      labelNames: ["source", "outcome"],
      registers,
    });
    this.#requests = new Counter({
      name: "gpu_offers_source_requests_total",
      help: "Requests to providers by this instance, by source and status or failure.",
      labelNames: ["source", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "gpu_offers_source_run_seconds",
      help: "Duration of live source runs in seconds, by source.",
      labelNames: ["source"],
      buckets: RUN_BUCKETS_SECONDS,
      registers,
    });
    const sources = (): Source[] => catalog.freshness.describe(catalog.snapshot?.countByProvider() ?? new Map());
    const each = (value: (source: Source) => number | undefined) => () =>
      sources().flatMap((source) => {
        const measured = value(source);
        return measured === undefined ? [] : [[{ source: source.name }, measured] as const];
      });
    const availabilities = catalog.derive(({ listings: { columns, prepared } }) => {
      const index = new ListingIndex(columns, prepared);
      const counts = new Map(AVAILABILITIES.map((availability) => [availability, 0]));
      for (let at = 0; at < index.size; at++) {
        const availability = index.availabilityAt(at);
        counts.set(availability, (counts.get(availability) ?? 0) + 1);
      }
      return [...counts].map(([availability, count]) => [{ availability }, count] as const);
    });
    addMetrics(registry, Gauge, {
      gpu_offers_source_sync_up: [
        "1 if this instance could store its last live source runs, 0 if not; missing before the first.",
        () => (this.#isWorking === undefined ? undefined : Number(this.#isWorking)),
      ],
      gpu_offers_source_age_seconds: [
        "Seconds since a source's prices were last confirmed, or since their date if imported from a file.",
        each(({ checkedAt, pricesAsOf }) => secondsSince(checkedAt ?? pricesAsOf)),
      ],
      gpu_offers_source_last_offered_seconds: [
        "Seconds since a source last showed an offer.",
        each(({ lastOfferedAt }) => secondsSince(lastOfferedAt)),
      ],
      gpu_offers_source_last_in_stock_seconds: [
        "Seconds since a live source last showed an offer in stock.",
        each(({ lastInStockAt }) => secondsSince(lastInStockAt)),
      ],
      gpu_offers_source_offers: ["Offers of a source in the served catalog.", each(({ offers }) => offers)],
      gpu_offers_availability_offers: [
        "Offers in the served catalog, by availability.",
        () => (catalog.snapshot === undefined ? [] : availabilities()),
      ],
      gpu_offers_source_state: [
        "1 for the source's current state.",
        () => sources().map(({ name, state }) => [{ source: name, state }, 1] as const),
      ],
      gpu_offers_source_warnings: [
        "Warnings about the source's last change, such as prices that all changed by one factor.",
        each(({ name, kind }) => (kind === "import" ? undefined : catalog.freshness.warningsOf(name))),
      ],
    });
  }

  see(event: LiveEvent): void {
    switch (event.kind) {
      case "request":
        this.#requests.inc({ source: event.source, status: event.status });
        break;
      case "fetched":
        this.#seconds.observe({ source: event.source }, event.durationMs / 1_000);
        break;
      case "run":
        this.#runs.inc({ source: event.source, outcome: event.outcome });
        break;
      case "sync":
        this.#isWorking = event.isWorking;
        break;
    }
  }
}
