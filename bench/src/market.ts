import { performance } from "node:perf_hooks";
import { listGpus, MarketParts, OfferIndexBuilder, type Offer } from "@gpu-offers/domain";
import { readCatalog } from "@gpu-offers/store/catalog.store";
import { openDatabase, type Database } from "@gpu-offers/store/database";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import type { Catalog } from "./catalogs.ts";
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

async function fastest(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
