import { readFileSync } from "node:fs";
import { offersJsonBytes } from "@gpu-offers/testkit/synthetic";
import type { Catalog } from "./catalogs.ts";
import type { Row } from "./row.ts";
import { startService } from "./service.ts";

/** Service memory per offer against the size of the offer's JSON: a large catalog minus a small one. */
export async function benchMemory(small: Catalog, large: Catalog): Promise<Row> {
  const added = (await residentBytes(large)) - (await residentBytes(small));
  const offers = large.count - small.count;
  const json = offersJsonBytes(large.count) / large.count;
  const ratio = added / offers / json;
  return {
    what: `memory per offer, ${large.count.toLocaleString("en-US")} offers`,
    reference: `its JSON: ${Math.round(json)} bytes`,
    measured: `${Math.round(added / offers)} bytes`,
    ratio,
    bar: "<= 1.5 times",
    isMet: ratio <= 1.5,
  };
}

/** Resident memory of the service 15 seconds after its start, when garbage from startup is collected (Linux). */
async function residentBytes({ databasePath }: Catalog): Promise<number> {
  const service = await startService(databasePath);
  try {
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    const status = readFileSync(`/proc/${service.process.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  } finally {
    await service.stop();
  }
}
