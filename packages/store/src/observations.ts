import type { Transaction } from "kysely";
import type { Database } from "./database.js";
import { foldMarket } from "./market-points.js";
import { isStockRemembered, rememberStock } from "./stock-memory.js";
import type { Tables } from "./tables.js";

// The log of observations: one for each successful reading of a provider, written in the transaction of its run or import.
// What changed from one to the next is in the log of changes (record-changes.ts), what each left in market points.

/** A successful reading of a provider. */
export interface Observation {
  provider: string;
  /** Live source; null for a file. */
  source: string | null;
  /** The part that was read; null for all of the provider. */
  scope: string | null;
  /** When it was read, or the date of a file: ISO 8601 UTC. */
  at: string;
  /** Date of the prices as the source states it; null if it states none. */
  statedAt: string | null;
  /** Whether everything that the provider offers was read. */
  isComplete: boolean;
  /** Whether it says what is in stock. */
  knowsStock: boolean;
}

/** What a reading says beside its offers. */
export type Reading = Omit<Observation, "provider" | "source" | "statedAt">;

/** What an observation changed. */
export interface ObservedChange {
  /** The revision that it made; null if no offer changed. */
  revision: number | null;
  /** Whether facts beyond the offers changed, such as what is sold out. */
  haveFactsChanged?: boolean;
  /** The table that has its offers. */
  table: "offer" | "staged_offer";
}

/**
 * Records the observation of a provider, and folds what it left into the points of its hour and day.
 * @param readings one, or one for each part that was read.
 * @param change the revision that it made, if the offers changed; whether only their facts did; the table that has its offers.
 */
export async function recordObservation(
  transaction: Transaction<Tables>,
  about: Omit<Observation, keyof Reading>,
  readings: readonly [Reading, ...Reading[]],
  { revision, table, haveFactsChanged = false }: ObservedChange,
): Promise<void> {
  const { provider, source, statedAt } = about;
  const [{ at }] = readings;
  const day = at.slice(0, 10);
  const before = await findLatest(transaction, provider, at);
  const later = await transaction
    .selectFrom("observation")
    .where("provider", "=", provider)
    .where("at", ">", at)
    .where("at", "<", `${day}U`)
    .select((select) => select.fn.min("at").as("at"))
    .executeTakeFirst();
  await transaction
    .insertInto("observation")
    .values(
      readings.map(({ isComplete, knowsStock, ...reading }) => ({
        ...reading,
        provider,
        source,
        revision,
        stated_at: statedAt,
        is_complete: isComplete ? 1 : 0,
        knows_stock: knowsStock ? 1 : 0,
      })),
    )
    .execute();
  if (revision !== null || haveFactsChanged || table === "staged_offer" || before?.slice(0, 10) !== day) {
    await foldMarket(transaction, { provider, at, table, before, later: later?.at ?? undefined });
  }
  const hasChanged = revision !== null || haveFactsChanged || !(await isStockRemembered(transaction, provider));
  if (table === "offer" && hasChanged && readings.some(({ knowsStock }) => knowsStock)) {
    await rememberStock(transaction, { provider, source, at, isComplete: readings.every((one) => one.isComplete) });
  }
}

/** When a provider was last observed until a time; undefined if never. */
async function findLatest(database: Database, provider: string, until: string): Promise<string | undefined> {
  const row = await database
    .selectFrom("observation")
    .where("provider", "=", provider)
    .where("at", "<=", until)
    .select((select) => select.fn.max("at").as("at"))
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/**
 * The providers of some whose offers in the catalog were observed. Of others, the catalog has at most sample offers. A name that no provider has
 * is first, because PostgreSQL has no empty lists.
 */
export async function listObserved(database: Database, providers: readonly string[]): Promise<string[]> {
  const rows = await database
    .selectFrom("observation")
    .where("provider", "in", providers)
    // Those of files of the past alone left the catalog as it was.
    .where("revision", "is not", null)
    .select("provider")
    .distinct()
    .execute();
  return ["", ...rows.map(({ provider }) => provider)];
}

/** The hours in which providers were observed, in milliseconds since 1970, between two times in ISO 8601 UTC. */
export async function listObservedHours(
  database: Database,
  providers: readonly string[],
  { since, until }: { since: string; until: string },
): Promise<Map<string, number[]>> {
  const hours = new Map<string, number[]>();
  if (providers.length === 0) {
    return hours;
  }
  const rows = await database
    .selectFrom("observation")
    .where("provider", "in", providers)
    .where("at", ">=", since)
    .where("at", "<=", until)
    .select((select) => ["provider", select.fn<string>("substr", ["at", select.lit(1), select.lit(13)]).as("hour")])
    .distinct()
    .orderBy("hour")
    .execute();
  for (const { provider, hour } of rows) {
    hours.set(provider, [...(hours.get(provider) ?? []), Date.parse(`${hour}:00:00Z`)]);
  }
  return hours;
}

/** Removes observations before a time, and the points of their days; each provider's last observation stays. */
export async function pruneObservations(database: Database, before: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom("observation")
      .where("at", "<", before)
      .where("id", "not in", (select) =>
        select
          .selectFrom("observation as latest")
          .where("latest.revision", "is not", null)
          .groupBy("latest.provider")
          .select((row) => row.fn.max("latest.id").as("id")),
      )
      .execute();
    await transaction.deleteFrom("market_point").where("period", "<", before.slice(0, 10)).execute();
  });
}
