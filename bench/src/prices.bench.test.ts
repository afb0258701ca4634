import { test } from "vitest";
import { openDatabase } from "@gpu-offers/store/database";
import { foldPast } from "@gpu-offers/store/folded-steps";
import { processorMs } from "@gpu-offers/testkit/process-usage";
import type { Service } from "@gpu-offers/testkit/service";
import { syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { makeCatalog } from "./catalogs.ts";
import { addMeasured } from "./measured-row.ts";
import { startQuiet } from "./servers.ts";

const HOUR_MS = 3_600_000;
const DAYS = 400;
const PROVIDERS = Array.from({ length: 25 }, (_, number) => `cloud-${number}`);
/** Of each provider. */
const OFFERS = 600;
const PAGES = 400;
const ROUNDS = 20;

test("prices of GPUs over 90 days, of 400 days that 25 providers were read each hour", async (context) => {
  const path = await makeCatalog(OFFERS);
  await addHistory(path);
  const service = await startQuiet(path, { LIVE_SYNC: "off" });
  const paths = syntheticQueries(2 * PAGES, OFFERS).map((query) => `/api/v1/offers?${query}`);
  await processorMsOf(service, paths.slice(0, PAGES));
  const pageMs = await processorMsOf(service, paths.slice(PAGES));
  for (const name of ["h100", "nvidia"]) {
    const firstMs = await processorMsOf(service, [`/api/v2/gpus/${name}/prices`]);
    // No two are alike.
    const later = Array.from({ length: ROUNDS }, (_, round) => new Date(Date.now() - (90 * 24 - round) * HOUR_MS));
    const ms = await processorMsOf(
      service,
      later.map((since) => `/api/v2/gpus/${name}/prices?since=${since.toISOString()}`),
    );
    addMeasured(context, {
      what: `GET /api/v2/gpus/${name}/prices, 90 of 400 days`,
      reference: `a page of v1 for the first time: ${pageMs.toFixed(2)} ms`,
      measured: `${ms.toFixed(1)} ms (first ${firstMs.toFixed(0)} ms)`,
      ratio: ms / pageMs,
      bar: "<= 20 times",
    });
  }
  await service.stop();
}, 600_000);

/** Processor time of each request. */
async function processorMsOf({ url, process: { child } }: Service, paths: readonly string[]): Promise<number> {
  const before = processorMs(child.pid);
  for (const path of paths) {
    const response = await fetch(url + path);
    if (!response.ok) {
      throw new Error(`${path} has status ${response.status}: ${await response.text()}`);
    }
    await response.arrayBuffer();
  }
  return (processorMs(child.pid) - before) / paths.length;
}

/** Gives what the one provider has today to all providers, each day and hour of the past. */
async function addHistory(path: string): Promise<void> {
  const database = await openDatabase(`sqlite:${path}`);
  const today = await database.selectFrom("market_point").where("step", "=", "day").selectAll().execute();
  const ofAll = (json: string): string => {
    const [own] = Object.values(JSON.parse(json) as object);
    return JSON.stringify(Object.fromEntries(PROVIDERS.map((provider) => [provider, own])));
  };
  const rows = today.map((row) =>
    Object.assign(row, { sellers: ofAll(row.sellers), machines: ofAll(row.machines ?? "{}") }),
  );
  const now = Date.now();
  await database.transaction().execute(async (transaction) => {
    for (let hour = DAYS * 24; hour > 0; hour--) {
      const at = new Date(now - hour * HOUR_MS).toISOString();
      const read = { source: null, scope: null, revision: 1, stated_at: null, is_complete: 1, knows_stock: 0 };
      await transaction
        .insertInto("observation")
        .values(PROVIDERS.map((provider) => Object.assign({ provider, at }, read)))
        .execute();
      if (hour % 24 === 1) {
        const period = at.slice(0, 10);
        await transaction
          .insertInto("market_point")
          .values(rows.map((row) => Object.assign(row, { period })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    }
  });
  await foldPast(database);
  await database.destroy();
}
