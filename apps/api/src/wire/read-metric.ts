import type { Counter, Gauge, Registry } from "prom-client";

/** What a metric is when it is collected: its value, or those of its labels. Undefined is omitted, because 0 would be wrong. */
type Samples =
  | number
  | undefined
  | Iterable<readonly [labels: Readonly<Record<string, string | number>>, value: number]>;

/** Labels of the metrics below; each has those of its samples. */
const labelNames = ["availability", "family", "reason", "rule", "source", "stat", "state", "subject", "version"];

/** Registers gauges or counters that are read when they are collected: by their names, what they are and their samples. */
export function addMetrics(
  registry: Registry,
  Kind: typeof Gauge | typeof Counter,
  metrics: Readonly<Record<string, readonly [help: string, read: () => Samples | Promise<Samples>]>>,
): void {
  for (const [name, [help, read]] of Object.entries(metrics)) {
    const metric = new Kind({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const samples = await read();
        metric.reset();
        for (const [labels, value] of typeof samples === "number" ? [[{}, samples] as const] : (samples ?? [])) {
          metric.inc(labels, value);
        }
      },
    });
  }
}

/** Seconds since a time in ISO 8601; undefined if it is unknown. */
export function secondsSince(at: string | null | undefined): number | undefined {
  return at === null || at === undefined ? undefined : Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}
