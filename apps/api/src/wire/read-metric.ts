import { Counter, Gauge, type Registry } from "prom-client";

/** What a metric is when it is collected: its value, or those of its labels. Undefined is omitted, because 0 would be wrong. */
type Samples =
  | number
  | undefined
  | Iterable<readonly [labels: Readonly<Record<string, string | number>>, value: number]>;

/** A metric that is read when it is collected. */
type ReadMetric = readonly [
  name: string,
  help: string,
  read: () => Samples | Promise<Samples>,
  labelNames?: readonly string[],
];

/** Registers gauges that are read when they are collected. */
export function addGauges(registry: Registry, ...metrics: readonly ReadMetric[]): void {
  for (const [name, help, read, labelNames = []] of metrics) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => set(await read(), gauge, (labels, value) => gauge.set(labels, value)),
    });
  }
}

/** Registers counters that are read when they are collected. */
export function addCounters(registry: Registry, ...metrics: readonly ReadMetric[]): void {
  for (const [name, help, read, labelNames = []] of metrics) {
    const counter: Counter = new Counter({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => set(await read(), counter, (labels, value) => counter.inc(labels, value)),
    });
  }
}

function set(samples: Samples, metric: Gauge | Counter, add: (labels: object, value: number) => void): void {
  metric.reset();
  if (samples === undefined) {
    metric.remove();
  } else if (typeof samples === "number") {
    add({}, samples);
  } else {
    for (const [labels, value] of samples) {
      add(labels, value);
    }
  }
}
