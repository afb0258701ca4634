import { STOCK_DAYS } from "@gpu-offers/domain/history";
import { sql, type Transaction } from "kysely";
import { isMissingIn, kindOf, type Database } from "./database.js";
import { mayBeSomewhere, OFFER_COLUMNS, type StoredOffer } from "./offer-row.js";
import { GONE_AFTER_MS } from "./staleness.js";
import type { Tables } from "./tables.js";

// Offers that a complete observation of their provider missed: sold out, with their last price, for as long as stock is
// remembered. They are no part of the catalog, its revisions and v1.

const DAY_MS = 86_400_000;

/** Days that a gone offer is shown as sold out, and after which its return is an addition like others. */
export const GONE_DAYS = STOCK_DAYS;

/** A provider's complete observation. */
export interface CompleteReading {
  provider: string;
  source: string | null;
  at: string;
  /** The parts that were read. Offers of others, such as a region that is no longer asked for, just go. */
  scopes: readonly string[];
}

type TellingReading = CompleteReading & { isMarketplace: boolean };

/** SQL condition: an offer of a marketplace is of a seller whose machines come back, not of a host or a single machine. */
function comesBack(transaction: Transaction<Tables>) {
  const { fieldOf } = kindOf(transaction);
  return sql<boolean>`coalesce(${fieldOf("listing", "seller")}, 'null') not in ('null', '"host"')
    and coalesce(${fieldOf("listing", "providerOfferId")}, 'null') = 'null'`;
}

/**
 * Those of complete observations that say what is sold out, called before the providers are replaced: the sample never was
 * for sale, and what another source offered wasn't looked for.
 */
export async function listTelling(
  transaction: Transaction<Tables>,
  readings: readonly CompleteReading[],
): Promise<TellingReading[]> {
  const rows = await transaction
    .selectFrom("provider")
    .leftJoin("live_source", "live_source.name", "provider.source")
    .where("is_sample", "=", 0)
    .select(["provider.name", "source", "kind"])
    .execute();
  const before = new Map(rows.map((row) => [row.name, row]));
  return readings.flatMap((reading) => {
    const known = before.get(reading.provider);
    return known?.source === reading.source ? [{ ...reading, isMarketplace: known.kind !== "list" }] : [];
  });
}

/** Keeps the offers that an import is about to remove, as far as observations tell that they are sold out. */
export async function keepGone(transaction: Transaction<Tables>, readings: readonly TellingReading[]): Promise<void> {
  for (const { provider, at, scopes, isMarketplace } of readings) {
    const offers = transaction
      .selectFrom("offer")
      .where("provider", "=", provider)
      .$if(isMarketplace, (query) => query.where(comesBack(transaction)))
      .where((row) => row.or([row("scope", "is", null), row("scope", "in", ["", ...scopes])]));
    const missed = offers.where(isMissingIn("staged_offer", "offer.id")).where(mayBeSomewhere(transaction));
    await transaction
      .insertInto("gone_offer")
      .columns([...OFFER_COLUMNS, "gone_at"])
      .expression(missed.select([...OFFER_COLUMNS, sql<string>`cast(${at} as text)`.as("gone_at")]))
      .execute();
  }
}

/**
 * Forgets what returned, what is gone for too long, and what belongs to sources that no longer sell. It changes what their
 * providers state, so that services load the catalog again.
 */
export async function forgetGone(transaction: Transaction<Tables>, nowMs: number): Promise<void> {
  const emptySince = new Date(nowMs - GONE_AFTER_MS).toISOString();
  const forgotten = await transaction
    .deleteFrom("gone_offer")
    .where((row) =>
      row.or([
        row("gone_at", "<", goneSince(nowMs)),
        row.not(isMissingIn("offer", "gone_offer.id")),
        row("provider", "in", (select) =>
          select
            .selectFrom("provider")
            .innerJoin("live_source", "live_source.name", "provider.source")
            .where("empty_since", "<=", emptySince)
            .select("provider.name"),
        ),
      ]),
    )
    .returning("provider")
    .execute();
  if (forgotten.length > 0) {
    await transaction
      .updateTable("provider")
      .set((set) => ({ facts_version: set("facts_version", "+", 1) }))
      .where("name", "in", [...new Set(forgotten.map(({ provider }) => provider))])
      .execute();
  }
}

/** The offers that are gone, but not for too long. */
export async function listGone(database: Database, nowMs: number): Promise<StoredOffer[]> {
  const rows = database.selectFrom("gone_offer").where("gone_at", ">=", goneSince(nowMs));
  return rows.orderBy("id").select(OFFER_COLUMNS).execute();
}

export function goneSince(nowMs: number): string {
  return new Date(nowMs - GONE_DAYS * DAY_MS).toISOString();
}
