import { MarketParts, priceDate, type Offer, type PriceCommit } from "@gpu-offers/domain";
import { sql, type Transaction } from "kysely";
import { listLegacyCommits } from "./legacy-prices.js";
import type { Database } from "./database.js";
import { isUnverified } from "./offer-row.js";
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
    await insertPrices(transaction, id, await readMarket(transaction, provider));
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

/** What one can rent from a provider, by slug. */
async function readMarket(transaction: Transaction<Tables>, provider: string): Promise<MarketParts> {
  const parts = new MarketParts();
  const ids = await transaction.selectFrom("offer").where("provider", "=", provider).select("id").execute();
  // In batches: a stream would block the connection, and all rows may not fit in memory. By their ids, because a batch of a
  // provider's rows in order would sort all that remain, again for each batch.
  for (let from = 0; from < ids.length; from += ROWS_A_BATCH) {
    const batch = ids.slice(from, from + ROWS_A_BATCH).map(({ id }) => id);
    const rows = await transaction.selectFrom("offer").where("id", "in", batch).select(["body", "listing"]).execute();
    for (const row of rows) {
      const offer = JSON.parse(row.body) as Offer;
      const mayRent = offer.isAvailable && !isUnverified(row);
      parts.add(offer.gpu, provider, { ...offer, spotHourly: null, mayRent });
    }
  }
  return parts;
}

async function insertPrices(transaction: Transaction<Tables>, commit: number, parts: MarketParts): Promise<void> {
  const rows = parts
    .build()
    .filter(({ prices }) => prices.length > 0)
    .map(({ gpu, prices, regions }) => ({
      commit_id: commit,
      gpu_slug: gpu.slug,
      prices: JSON.stringify(prices),
      regions: JSON.stringify(regions),
    }));
  for (let from = 0; from < rows.length; from += ROWS_A_BATCH) {
    await transaction
      .insertInto("price_of_gpu")
      .values(rows.slice(from, from + ROWS_A_BATCH))
      .execute();
  }
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
