import { listOffersQuerySchema, type ListOffersQuery } from "@gpu-offers/domain";
import { OfferIndex } from "@gpu-offers/domain/paging";
import pg from "pg";
import { startPostgres } from "@gpu-offers/testkit/postgres-server";
import type { Row } from "./row.ts";
import { syntheticOffers, syntheticQueries } from "@gpu-offers/testkit/synthetic";

const QUERIES = 200;

/** The same requests as SQL to PostgreSQL with suitable indexes, over a socket. */
export async function benchPostgres(count: number): Promise<Row> {
  const server = await startPostgres();
  try {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await fill(client, count);
    const queries = syntheticQueries(QUERIES, count).map((text) =>
      listOffersQuerySchema.parse(Object.fromEntries(new URLSearchParams(text))),
    );
    const reference = await median(queries, (query) => ask(client, query));
    await client.end();
    const index = OfferIndex.of(syntheticOffers(count));
    const ours = await median(queries, (query) => index.page(query));
    return {
      what: `the same requests, ${count.toLocaleString("en-US")} offers, median`,
      reference: `PostgreSQL 18 over a socket: ${reference.toFixed(2)} ms`,
      measured: `${(ours * 1000).toFixed(1)} us`,
      ratio: reference / ours,
      bar: ">= 10 times",
      isMet: reference / ours >= 10,
    };
  } finally {
    await server.remove();
  }
}

async function fill(client: pg.Client, count: number): Promise<void> {
  await client.query(`create table offer (id uuid primary key, gpu_slug text not null, continent text not null,
    gpu_count int not null, price_hourly float8 not null, price_per_gpu float8 not null, body text not null)`);
  let rows: unknown[][] = [];
  const flush = async (): Promise<void> => {
    await client.query(
      `insert into offer select * from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::float8[], $6::float8[], $7::text[])`,
      [0, 1, 2, 3, 4, 5, 6].map((column) => rows.map((row) => row[column])),
    );
    rows = [];
  };
  for (const offer of syntheticOffers(count)) {
    const { id, gpu, regionInfo, gpuCount, priceHourly, pricePerGpu } = offer;
    rows.push([id, gpu.slug, regionInfo.continent, gpuCount, priceHourly, pricePerGpu, JSON.stringify(offer)]);
    if (rows.length === 5_000) {
      await flush();
    }
  }
  await flush();
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
  const values = [
    query.gpu ?? null,
    query.continent ?? null,
    query.min_gpu_count ?? 1,
    query.max_gpu_count ?? 999_999_999,
  ];
  await client.query(`select count(*) from offer where ${where}`, values);
  await client.query(
    `select body from offer where ${where}
     order by ${COLUMNS[query.sort_by]} ${query.sort_order}, price_per_gpu, price_hourly, id limit $5 offset $6`,
    [...values, query.size, query.page * query.size],
  );
}

async function median(queries: readonly ListOffersQuery[], run: (query: ListOffersQuery) => unknown): Promise<number> {
  for (const query of queries) {
    await run(query);
  }
  const times: number[] = [];
  for (const query of queries) {
    const started = performance.now();
    await run(query);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
