import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { MarketParts, type Offer } from "@gpu-offers/domain";
import { OfferIndexBuilder } from "@gpu-offers/domain/paging";
import { listGpus } from "@gpu-offers/domain/gpus";
import { readCatalog } from "@gpu-offers/store/catalog.store";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { recordPrices } from "@gpu-offers/store/price-log";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { putOffers, type Catalog } from "./catalogs.ts";
import type { Row } from "./row.ts";

const ROUNDS = 5;

/** What the market adds to loading a catalog: its parts are built with each snapshot. */
export async function benchMarket({ databasePath, count }: Catalog): Promise<Row> {
  const database = await openDatabase(`sqlite:${databasePath}`);
  try {
    const offers = [...syntheticOffers(count)];
    const loadMs = await fastest(() => readRows(database));
    const marketMs = await fastest(() => partsOf(offers));
    const parts = partsOf(offers);
    const listMs = await fastest(() => JSON.stringify(listGpus(parts, () => undefined)));
    const ratio = marketMs / loadMs;
    return {
      what: `market of a catalog, built with it, ${count.toLocaleString("en-US")} offers`,
      reference: `reading and indexing it: ${loadMs.toFixed(0)} ms`,
      measured: `${marketMs.toFixed(0)} ms; the first GET /gpus of a catalog: ${listMs.toFixed(0)} ms`,
      ratio,
      bar: "<= 0.10",
      isMet: ratio <= 0.1,
    };
  } finally {
    await database.destroy();
  }
}

/** The processor time that the log of prices adds to the import of a whole catalog, in whose transaction it is written. */
export async function benchPriceLog(folder: string, count: number): Promise<Row> {
  const offers = [...syntheticOffers(count)];
  let imports = 0;
  const pathOf = (round: number): string => join(folder, `price-log-${round}.sqlite`);
  const importMs = await cheapest(() => putOffers(pathOf(imports++), offers));
  const database = await openDatabase(`sqlite:${pathOf(0)}`);
  try {
    const named = await database.selectFrom("provider").select("name").execute();
    const providers = named.map(({ name }) => name);
    const head = await readCatalog(database, (found) => Promise.resolve(found));
    if (head === undefined) {
      throw new Error("The import made no catalog.");
    }
    const stamp = { revision: head.revision.revision, at: new Date().toISOString() };
    const logMs = await cheapest(() =>
      database.transaction().execute((transaction) => recordPrices(transaction, providers, stamp)),
    );
    const ratio = logMs / importMs;
    return {
      what: `log of prices, written with an import of ${count.toLocaleString("en-US")} offers`,
      reference: `the import: ${importMs.toFixed(0)} ms of processor time`,
      measured: `${logMs.toFixed(0)} ms`,
      ratio,
      bar: "<= 0.10",
      isMet: ratio <= 0.1,
    };
  } finally {
    await database.destroy();
  }
}

/** Reads all rows and builds the index, as the service does. */
async function readRows(database: Database): Promise<unknown> {
  return readCatalog(database, async (_, rows) => {
    const index = new OfferIndexBuilder();
    let bytes = 0;
    for await (const { id, gpu_slug: slug, continent, gpu_count: gpuCount, body, ...prices } of rows) {
      bytes += Buffer.byteLength(body);
      const { price_hourly: priceHourly, price_per_gpu: pricePerGpu } = prices;
      index.add({ id, gpu: { slug }, regionInfo: { continent }, gpuCount, priceHourly, pricePerGpu });
    }
    return [index.build(), bytes];
  });
}

function partsOf(offers: readonly Offer[]) {
  const parts = new MarketParts();
  for (const offer of offers) {
    const { id, region, gpuCount, priceHourly, pricePerGpu, costDataComplete, isAvailable } = offer;
    parts.add(offer.gpu, offer.provider.name, {
      id,
      region,
      gpuCount,
      priceHourly,
      pricePerGpu,
      costDataComplete,
      spotHourly: null,
      mayRent: isAvailable,
    });
  }
  return parts.build();
}

/** Milliseconds of processor time; SQLite computes in this process. */
async function cheapest(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

async function fastest(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
