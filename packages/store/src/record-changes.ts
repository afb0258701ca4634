import type { Offer } from "@gpu-offers/domain";
import type { Selectable, Transaction } from "kysely";
import { findOfferChanges, type ChangeKind } from "./offer-history.js";
import { listObserved } from "./observations.js";
import type { Tables } from "./tables.js";

// Writes the log of catalog changes, in the transaction of each change.

const ROWS_A_BATCH = 200;

/** The revision of a change. */
interface ChangeStamp {
  revision: number;
  /** ISO 8601 UTC. */
  at: string;
}

/**
 * Records the changes of replacing some providers' offers by `staged_offer`. Call it before they are replaced.
 * @param observed those whose offers were observed; the history of others, which have at most sample offers, begins now.
 */
export async function recordReplacement(
  transaction: Transaction<Tables>,
  providers: readonly string[],
  observed: readonly string[],
  { revision, at }: ChangeStamp,
): Promise<void> {
  const log = new ChangeLog(transaction, { revision, at });
  const removed = transaction
    .selectFrom("offer")
    .where("provider", "in", observed)
    .where("id", "not in", (select) => select.selectFrom("staged_offer").select("id"))
    .select(["id", "provider", "gpu_slug", "price_hourly", "price_per_gpu"])
    .orderBy("id");
  for (const row of await removed.execute()) {
    await log.add(row, "removed", priceOf(row), null);
  }
  const changed = transaction
    .selectFrom("staged_offer")
    .innerJoin("offer", "offer.id", "staged_offer.id")
    .where("staged_offer.provider", "in", observed)
    .whereRef("offer.body", "!=", "staged_offer.body")
    .select([
      "staged_offer.id",
      "staged_offer.provider",
      "staged_offer.gpu_slug",
      "offer.body as before",
      "staged_offer.body as after",
    ])
    .orderBy("staged_offer.id");
  // In batches by id: a stream would block the connection for writes, and all rows may not fit in memory.
  for (let last = ""; ;) {
    const rows = await changed.where("staged_offer.id", ">", last).limit(ROWS_A_BATCH).execute();
    for (const { before, after, ...row } of rows) {
      for (const change of findOfferChanges(JSON.parse(before) as Offer, JSON.parse(after) as Offer)) {
        await log.add(row, change.kind, change.before, change.after);
      }
      last = row.id;
    }
    if (rows.length < ROWS_A_BATCH) {
      break;
    }
  }
  await log.flush();
  await transaction
    .insertInto("offer_change")
    .columns(["revision", "at", "offer_id", "provider", "gpu_slug", "kind", "before", "after"])
    .expression((select) =>
      select
        .selectFrom("staged_offer")
        .where("id", "not in", select.selectFrom("offer").where("provider", "in", observed).select("id"))
        .select((column) => [
          column.lit(revision).as("revision"),
          column.cast<string>(column.val(at), "text").as("at"),
          "id as offer_id",
          "provider",
          "gpu_slug",
          column.cast<string>(column.val("added"), "text").as("kind"),
          column.cast<string | null>(column.lit(null), "text").as("before"),
          "body as after",
        ])
        .orderBy("id"),
    )
    .execute();
}

/** Records the removal of a provider's offers, of all or some scopes, unless they were a sample. Call it before they are removed. */
export async function recordRemoval(
  transaction: Transaction<Tables>,
  { provider, scopes }: { provider: string; scopes?: readonly string[] | undefined },
  stamp: ChangeStamp,
): Promise<void> {
  const log = new ChangeLog(transaction, stamp);
  const rows = await transaction
    .selectFrom("offer")
    .where("provider", "in", await listObserved(transaction, [provider]))
    .$if(scopes !== undefined, (query) => query.where("scope", "in", scopes ?? []))
    .select(["id", "provider", "gpu_slug", "price_hourly", "price_per_gpu"])
    .orderBy("id")
    .execute();
  for (const row of rows) {
    await log.add(row, "removed", priceOf(row), null);
  }
  await log.flush();
}

function priceOf(row: { price_hourly: number; price_per_gpu: number }): Partial<Offer> {
  return { priceHourly: row.price_hourly, pricePerGpu: row.price_per_gpu };
}

/** Writes changes in batches. */
class ChangeLog {
  #rows: Omit<Selectable<Tables["offer_change"]>, "id">[] = [];

  constructor(
    private readonly transaction: Transaction<Tables>,
    private readonly stamp: ChangeStamp,
  ) {}

  async add(
    offer: { id: string; provider: string; gpu_slug: string },
    kind: ChangeKind,
    before: Partial<Offer> | null,
    after: Partial<Offer> | null,
  ): Promise<void> {
    this.#rows.push({
      ...this.stamp,
      offer_id: offer.id,
      provider: offer.provider,
      gpu_slug: offer.gpu_slug,
      kind,
      before: before && JSON.stringify(before),
      after: after && JSON.stringify(after),
    });
    if (this.#rows.length >= ROWS_A_BATCH) {
      await this.flush();
    }
  }

  async flush(): Promise<void> {
    if (this.#rows.length > 0) {
      await this.transaction.insertInto("offer_change").values(this.#rows).execute();
      this.#rows = [];
    }
  }
}
