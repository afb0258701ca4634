import { sql, type Transaction } from "kysely";
import { countRows, isMissingIn } from "./database.js";
import { OFFER_COLUMNS } from "./offer-row.js";
import type { ChangeCounts } from "./provider-import.js";
import type { Tables } from "./tables.js";

// How the staged offers of an import replace those of the catalog, in its transaction.

/** Counts the differences between the stage and the providers' current offers. */
export async function countChanges(
  transaction: Transaction<Tables>,
  providers: readonly string[],
): Promise<ChangeCounts> {
  const current = transaction.selectFrom("offer").where("provider", "in", providers);
  const removed = await countRows(current.where(isMissingIn("staged_offer", "offer.id")));
  const kept = transaction.selectFrom("staged_offer").innerJoin("offer", "offer.id", "staged_offer.id");
  const changed = await countRows(kept.where(isDifferent));
  const unchanged = (await countRows(kept)) - changed;
  const all = await countRows(transaction.selectFrom("staged_offer"));
  return { added: all - changed - unchanged, changed, removed, unchanged };
}

const isDifferent = sql<boolean>`(offer.body <> staged_offer.body or coalesce(offer.scope, '') <> coalesce(staged_offer.scope, ''))`;

/** Replaces the providers' offers by the staged ones. */
export async function replaceOffers(transaction: Transaction<Tables>, providers: readonly string[]): Promise<void> {
  const current = transaction.deleteFrom("offer").where("provider", "in", providers);
  await current.where(isMissingIn("staged_offer", "offer.id")).execute();
  await transaction
    .deleteFrom("offer")
    .where("id", "in", (select) =>
      select
        .selectFrom("staged_offer")
        .innerJoin("offer", "offer.id", "staged_offer.id")
        .where(isDifferent)
        .select("staged_offer.id"),
    )
    .execute();
  await transaction
    .insertInto("offer")
    .columns(OFFER_COLUMNS)
    .expression((select) =>
      select.selectFrom("staged_offer").where(isMissingIn("offer", "staged_offer.id")).select(OFFER_COLUMNS),
    )
    .execute();
}

/**
 * Writes what the staged rows state beyond offers that don't change otherwise: spot prices, ids of marketplaces. That is no
 * revision, but services notice it by the providers' versions. Returns the number of changed offers.
 */
export async function replaceFacts(transaction: Transaction<Tables>): Promise<number> {
  const changed = transaction
    .selectFrom("staged_offer")
    .innerJoin("offer", "offer.id", "staged_offer.id")
    .where(
      sql<boolean>`offer.body = staged_offer.body and coalesce(offer.listing, '') <> coalesce(staged_offer.listing, '')`,
    );
  const rows = await changed.select(["offer.provider"]).execute();
  if (rows.length > 0) {
    await transaction
      .updateTable("offer")
      .set((set) => ({
        listing: set
          .selectFrom("staged_offer")
          .whereRef("staged_offer.id", "=", "offer.id")
          .select("staged_offer.listing"),
      }))
      .where("id", "in", changed.select("offer.id"))
      .execute();
    await transaction
      .updateTable("provider")
      .set((set) => ({ facts_version: set("facts_version", "+", 1) }))
      .where("name", "in", [...new Set(rows.map(({ provider }) => provider))])
      .execute();
  }
  return rows.length;
}
