import { priceDate, type PriceCommit } from "@gpu-offers/domain";
import { sql, type Transaction } from "kysely";
import { listLegacyCommits } from "./legacy-prices.js";
import { jsonOf, type Database } from "./database.js";
import { MAY_RENT } from "./offer-row.js";
import type { Tables } from "./tables.js";

// The log of prices: what each change of the catalog left one to rent of each GPU, and at which prices. It is written in the
// transaction of the change, and dated by the date of the prices, so that an import of an older file lands where it belongs.

const ROWS_A_BATCH = 200;
const HOUR_MS = 3_600_000;

/** Records what one can rent from providers after a change. Call it when their offers and dates are written. */
export async function recordPrices(
  transaction: Transaction<Tables>,
  providers: readonly string[],
  { revision, at }: { revision: number; at: string },
): Promise<void> {
  for (const provider of providers) {
    const datedAt = await findPriceDate(transaction, provider, at);
    const hour = hourOf(datedAt);
    // Series have a point an hour at most: of the changes between two points, the last one counts.
    await transaction
      .deleteFrom("price_commit")
      .where("provider", "=", provider)
      .where("hour", "=", hour)
      .where("dated_at", "<=", datedAt)
      .execute();
    const { id } = await transaction
      .insertInto("price_commit")
      .values({ revision, provider, dated_at: datedAt, hour, committed_at: at })
      .returning("id")
      .executeTakeFirstOrThrow();
    await insertPrices(transaction, id, provider);
  }
}

async function findPriceDate(transaction: Transaction<Tables>, provider: string, at: string): Promise<string> {
  const row = await transaction
    .selectFrom("provider")
    .leftJoin("live_source", "live_source.name", "provider.source")
    .where("provider.name", "=", provider)
    .select(["provider.as_of", "live_source.checked_at"])
    .executeTakeFirst();
  return priceDate(row?.as_of, row?.checked_at, at);
}

/** The first whole hour that the time isn't after, as the start of ISO 8601 in UTC. */
function hourOf(datedAt: string): string {
  return new Date(Math.ceil(Date.parse(datedAt) / HOUR_MS) * HOUR_MS).toISOString().slice(0, 13);
}

/**
 * Writes what one can rent from a provider, by slug. The database does it alone: reading all offers here would take a
 * quarter of the time of an import.
 */
async function insertPrices(transaction: Transaction<Tables>, commit: number, provider: string): Promise<void> {
  const { textInJson, collectJson } = jsonOf(transaction);
  // Materialized, so that offers are grouped without their JSON.
  await sql`
    with rentable as materialized (
      select gpu_slug, price_per_gpu, ${textInJson("body", "region")} as region
      from offer where provider = ${provider} and ${MAY_RENT}
    )
    insert into price_of_gpu (commit_id, gpu_slug, prices, regions)
    select cast(${commit} as integer), gpu_slug,
      cast(${collectJson}(price_per_gpu order by price_per_gpu) as text), cast(${collectJson}(distinct region) as text)
    from rentable group by gpu_slug`.execute(transaction);
}

/** The prices of some GPUs: see {@link PriceCommit}. Changes from before this log are folded from the log of offers. */
export async function listPriceCommits(database: Database, slugs: readonly string[]): Promise<PriceCommit[]> {
  const [rows, commits, legacy] = [
    await database
      .selectFrom("price_of_gpu")
      .where("gpu_slug", "in", slugs)
      .select(["commit_id", "prices", "regions"])
      .execute(),
    // Also those of a provider that no longer had these GPUs.
    await database
      .selectFrom("price_commit")
      .where("provider", "in", (select) =>
        select
          .selectFrom("price_commit as known")
          .innerJoin("price_of_gpu", "price_of_gpu.commit_id", "known.id")
          .where("price_of_gpu.gpu_slug", "in", slugs)
          .select("known.provider"),
      )
      .select(["id", "revision", "provider", "dated_at"])
      .execute(),
    await listLegacyCommits(database, slugs),
  ];
  const pricesOf = new Map<number, { prices: number[]; regions: Set<string> }>();
  for (const { commit_id: id, prices, regions } of rows) {
    const known = pricesOf.get(id) ?? { prices: [], regions: new Set<string>() };
    pricesOf.set(id, known);
    known.prices.push(...(JSON.parse(prices) as number[]));
    for (const region of JSON.parse(regions) as string[]) {
      known.regions.add(region);
    }
  }
  const own = commits.map(({ id, revision, provider, dated_at }): PriceCommit => {
    const { prices = [], regions = new Set<string>() } = pricesOf.get(id) ?? {};
    const datedMs = Date.parse(dated_at);
    return { provider, datedMs, order: revision, prices, regions: [...regions], isAvailabilityKnown: true };
  });
  return [...legacy, ...own];
}

/** Removes prices that no point from a time on needs: of each provider, all but the last ones dated before it. */
export async function prunePrices(database: Database, before: string): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: number }>`
      select id from price_commit as old where dated_at < ${before} and exists (
        select 1 from price_commit as newer
        where newer.provider = old.provider and newer.dated_at < ${before}
          and (newer.dated_at > old.dated_at or (newer.dated_at = old.dated_at and newer.revision > old.revision))
      )`.execute(transaction);
    const ids = rows.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += ROWS_A_BATCH) {
      const some = ids.slice(from, from + ROWS_A_BATCH);
      await transaction.deleteFrom("price_commit").where("id", "in", some).execute();
    }
    return ids.length;
  });
}
