import type { Catalog } from "./catalogs.ts";
import type { Row } from "./row.ts";
import { startRawServer, startService, type Service } from "./service.ts";

const ROUNDS = 5;

/** Time from process start to first response, against an empty node:http server; the median of 5 each. */
export async function benchStart({ databasePath, count }: Catalog): Promise<Row> {
  const ours = await medianStart(() => startService(databasePath));
  const reference = await medianStart(() => startRawServer());
  return {
    what: `start to first response, ${count.toLocaleString("en-US")} offers`,
    reference: `empty node:http: ${Math.round(reference)} ms`,
    measured: `${Math.round(ours)} ms`,
    ratio: ours / reference,
    bar: "<= 1,000 ms more",
    isMet: ours - reference <= 1_000,
  };
}

async function medianStart(start: () => Promise<Service>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const service = await start();
    times.push(service.startMs);
    await service.stop();
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}
