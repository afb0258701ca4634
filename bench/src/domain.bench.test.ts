import pg from "pg";
import { test } from "vitest";
import type { ListOffersQuery } from "@gpu-offers/domain";
import { OfferIndex } from "@gpu-offers/domain/paging";
import { startPostgres } from "@gpu-offers/testkit/postgres-server";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { benchIndex, parsedQueries } from "./index-query.ts";
import { addMeasured } from "./measured-row.ts";
import { median } from "./timing.ts";

const OFFERS = 50_000;

test("query in the domain package", (context) => {
  benchIndex(context, OFFERS);
});

test("the same requests as SQL to PostgreSQL with suitable indexes, over a socket", async (context) => {
  const server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await fill(client);
  const queries = parsedQueries(OFFERS);
  const reference = await medianMs(queries, (query) => ask(client, query));
  await client.end();
  await server.remove();
  const index = OfferIndex.of(syntheticOffers(OFFERS));
  const ours = await medianMs(queries, (query) => index.page(query));
  addMeasured(context, {
    what: "the same, median",
    reference: `PostgreSQL 18: ${reference.toFixed(2)} ms`,
    measured: `${(ours * 1000).toFixed(1)} us`,
    ratio: reference / ours,
    bar: ">= 10 times",
  });
});

async function fill(client: pg.Client): Promise<void> {
  await client.query(`create table offer (id uuid primary key, gpu_slug text not null, continent text not null,
    gpu_count int not null, price_hourly float8 not null, price_per_gpu float8 not null, body text not null)`);
  const rows = [...syntheticOffers(OFFERS)].map((offer) => {
    const { id, gpu, regionInfo, gpuCount, priceHourly, pricePerGpu } = offer;
    return [id, gpu.slug, regionInfo.continent, gpuCount, priceHourly, pricePerGpu, JSON.stringify(offer)];
  });
  await client.query(
    `insert into offer select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::float8[], $6::float8[], $7::text[])`,
    [0, 1, 2, 3, 4, 5, 6].map((column) => rows.map((row) => row[column])),
  );
  for (const columns of [
    "gpu_slug, continent, gpu_count",
    "continent, gpu_count",
    "price_per_gpu, price_hourly, id",
    "price_hourly, price_per_gpu, id",
    "gpu_slug, price_per_gpu, price_hourly, id",
  ]) {
    await client.query(`create index on offer (${columns})`);
  }
  await client.query("analyze offer");
}

const COLUMNS = { pricePerGpu: "price_per_gpu", priceHourly: "price_hourly", gpuCount: "gpu_count" };

/** The page and the total, as the API returns both. */
async function ask(client: pg.Client, query: ListOffersQuery): Promise<void> {
  const where = `($1::text[] is null or gpu_slug = any($1)) and ($2::text[] is null or continent = any($2))
    and gpu_count >= $3 and gpu_count <= $4`;
  const { gpu = null, continent = null, min_gpu_count: min = 1, max_gpu_count: max = 999_999_999 } = query;
  await client.query(`select count(*) from offer where ${where}`, [gpu, continent, min, max]);
  await client.query(
    `select body from offer where ${where}
     order by ${COLUMNS[query.sort_by]} ${query.sort_order}, price_per_gpu, price_hourly, id limit $5 offset $6`,
    [gpu, continent, min, max, query.size, query.page * query.size],
  );
}

async function medianMs(
  queries: readonly ListOffersQuery[],
  run: (query: ListOffersQuery) => unknown,
): Promise<number> {
  for (const query of queries) {
    await run(query);
  }
  const times: number[] = [];
  for (const query of queries) {
    const started = performance.now();
    await run(query);
    times.push(performance.now() - started);
  }
  return median(times);
}
