import type { Metric, Registry } from "prom-client";

const NAME = "gpu_offers_http_request_duration_seconds";

/** Upper bounds of the latency buckets in seconds. Catalog responses take well below a millisecond. */
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Durations of one route's requests. */
export class Durations {
  /** Requests per bucket; the last count is those above all bounds. */
  readonly counts = Array.from({ length: BUCKETS_SECONDS.length + 1 }, () => 0);
  sumSeconds = 0;

  /** Records a request. */
  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] ?? 0)) {
      bucket++;
    }
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sumSeconds += seconds;
  }
}

/**
 * Registers the histogram of durations by route. prom-client's own histogram hashes the labels of every observation,
 * which takes longer than all other accounting of a request.
 */
export function registerDurations(registry: Registry, routes: () => Iterable<[route: string, Durations]>): void {
  const histogram = {
    name: NAME,
    get: () =>
      Promise.resolve({
        name: NAME,
        help: "Seconds from the request's headers to the end of the response, by route.",
        type: "histogram",
        aggregator: "sum",
        values: [...routes()].flatMap(([route, durations]) => valuesOf(route, durations)),
      }),
    reset: () => {},
  };
  // prom-client's type also has write methods; a registry only reads.
  registry.registerMetric(histogram as unknown as Metric);
}

function valuesOf(route: string, { counts, sumSeconds }: Durations): object[] {
  let total = 0;
  const buckets = counts.map((count, bucket) => {
    total += count;
    return { metricName: `${NAME}_bucket`, labels: { le: BUCKETS_SECONDS[bucket] ?? "+Inf", route }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels: { route }, value: sumSeconds },
    { metricName: `${NAME}_count`, labels: { route }, value: total },
  ];
}
