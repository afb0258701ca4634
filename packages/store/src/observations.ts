import type { Transaction } from "kysely";
import { findBound, insertAll, type Database } from "./database.js";
import { foldSteps, forgetUnfolded, markFolded } from "./folded-steps.js";
import { foldMarket } from "./market-points.js";
import { isStockRemembered, rememberStock } from "./stock-memory.js";
import type { Tables } from "./tables.js";

// The log of observations: one for each successful reading of a provider, written in the transaction of its run or import.
// What changed from one to the next is in the log of changes (record-changes.ts), what each left in market points.

/** A successful reading of a provider, or of a part of it. */
export interface Reading {
  /** The part that was read; null for all of the provider. */
  scope: string | null;
  /** When it was read, or the date of a file: ISO 8601 UTC. */
  at: string;
  /** Whether everything that the provider offers was read. */
  isComplete: boolean;
  knowsStock: boolean;
}

export interface ObservedChange {
  /** The revision that it made; null if no offer changed. */
  revision: number | null;
  /** Whether facts beyond the offers changed, such as what is sold out. */
  haveFactsChanged?: boolean;
  table: "offer" | "staged_offer";
}

/**
 * Records the observation of a provider, and folds what it left into the points of its hour and day.
 * @param about the live source, null for a file, and the date of the prices as the source states it.
 * @param readings one, or one for each part that was read.
 */
export async function recordObservation(
  transaction: Transaction<Tables>,
  about: { provider: string; source: string | null; statedAt: string | null },
  readings: readonly [Reading, ...Reading[]],
  { revision, table, haveFactsChanged = false }: ObservedChange,
): Promise<void> {
  const { provider, source, statedAt } = about;
  const [{ at }] = readings;
  const day = at.slice(0, 10);
  const own = transaction.selectFrom("observation").where("provider", "=", provider);
  const before = await findBound(own.where("at", "<=", at), "max", "at");
  const later = await findBound(own.where("at", ">", at).where("at", "<", `${day}U`), "min", "at");
  const rows = readings.map(({ isComplete, knowsStock, ...reading }) => ({
    ...reading,
    provider,
    source,
    revision,
    stated_at: statedAt,
    is_complete: isComplete ? 1 : 0,
    knows_stock: knowsStock ? 1 : 0,
  }));
  await forgetUnfolded(transaction);
  await insertAll(transaction, "observation", rows);
  const isChanged = revision !== null || haveFactsChanged || table === "staged_offer" || before?.slice(0, 10) !== day;
  if (isChanged || before.slice(0, 13) !== at.slice(0, 13)) {
    const found = isChanged ? await foldMarket(transaction, { provider, at, table, before, later }) : undefined;
    await foldSteps(transaction, { provider, at, ...found });
  }
  await markFolded(transaction);
  const hasChanged = revision !== null || haveFactsChanged || !(await isStockRemembered(transaction, provider));
  if (table === "offer" && hasChanged && readings.some(({ knowsStock }) => knowsStock)) {
    await rememberStock(transaction, { provider, source, at, isComplete: readings.every((one) => one.isComplete) });
  }
}

/**
 * The providers of some whose offers in the catalog were observed. Of others, the catalog has at most sample offers. A name
 * that no provider has is first, because PostgreSQL has no empty lists.
 */
export async function listObserved(database: Database, providers: readonly string[]): Promise<string[]> {
  const readings = database.selectFrom("observation").where("provider", "in", ["", ...providers]);
  // Those of files of the past alone left the catalog as it was.
  const rows = await readings.where("revision", "is not", null).select("provider").distinct().execute();
  return ["", ...rows.map(({ provider }) => provider)];
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
    await transaction
      .deleteFrom("price_step")
      .where("name", "<>", "")
      .where("period", "<", before.slice(0, 10))
      .execute();
  });
}
