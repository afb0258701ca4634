import type { Offer } from "@gpu-offers/domain";
import type { Selectable, SelectQueryBuilder, Transaction } from "kysely";
import { insertAll, isMissingIn } from "./database.js";
import { goneSince } from "./gone-offers.js";
import { encodeFields, findOfferChanges } from "./offer-history.js";
import { listObserved } from "./observations.js";
import type { Tables } from "./tables.js";

// Writes the log of catalog changes, in the transaction of each change.

const OFFERS_A_BATCH = 200;

type ChangeRow = Omit<Selectable<Tables["offer_change"]>, "id">;

interface ChangeStamp {
  revision: number;
  /** ISO 8601 UTC. */
  at: string;
}

/**
 * Records the changes of replacing some providers' offers by `staged_offer`. Call it before they are replaced.
 * @param observed providers whose offers were observed; the history of others, which have at most sample offers, begins now.
 * @param samples providers whose offers are a sample from now on: what was observed of them is gone.
 * @param remembered providers whose changes of stock are remembered otherwise, see stock-memory.ts.
 */
export async function recordReplacement(
  transaction: Transaction<Tables>,
  { observed, samples, remembered }: Record<"observed" | "samples" | "remembered", readonly string[]>,
  { revision, at }: ChangeStamp,
): Promise<void> {
  await recordRemoval(transaction, { providers: observed.filter((name) => samples.includes(name)) }, { revision, at });
  const sold = observed.filter((name) => !samples.includes(name));
  const gone = transaction.selectFrom("offer").where("provider", "in", sold);
  await recordRemoved(transaction, gone.where(isMissingIn("staged_offer", "offer.id")), { revision, at });
  await insertAll(transaction, "offer_change", differencesOf(transaction, { sold, remembered }, { revision, at }));
  await insertAll(transaction, "offer_change", returnsOf(transaction, sold, { revision, at }));
  const returned = returning(transaction, sold, at).select("staged_offer.id");
  await transaction
    .insertInto("offer_change")
    .columns(["revision", "at", "offer_id", "provider", "gpu_slug", "kind", "before", "after"])
    .expression((select) =>
      select
        .selectFrom("staged_offer")
        .where((row) => row.or([isMissingIn("offer", "staged_offer.id"), row("provider", "not in", observed)]))
        .where("provider", "not in", ["", ...samples])
        .where("id", "not in", returned)
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

/** Staged offers that are gone, as they were when they were removed. */
function returning(transaction: Transaction<Tables>, sold: readonly string[], at: string) {
  return transaction
    .selectFrom("staged_offer")
    .innerJoin("gone_offer", "gone_offer.id", "staged_offer.id")
    .where("staged_offer.provider", "in", sold)
    .where("gone_at", ">=", goneSince(Date.parse(at)))
    .where(isMissingIn("offer", "staged_offer.id"));
}

/** Additions of offers that return, with what they have now that they hadn't when they were removed. */
async function* returnsOf(
  transaction: Transaction<Tables>,
  sold: readonly string[],
  stamp: ChangeStamp,
): AsyncGenerator<ChangeRow> {
  const rows = await returning(transaction, sold, stamp.at)
    .select(["staged_offer.id as offer_id", "staged_offer.provider", "staged_offer.gpu_slug"])
    .select(["gone_offer.body as before", "staged_offer.body as after"])
    .orderBy("staged_offer.id")
    .execute();
  for (const { before, after, ...row } of rows) {
    const offer = JSON.parse(after) as Offer;
    const changes = findOfferChanges(JSON.parse(before) as Offer, offer).map((change) => change.after);
    const { priceHourly, pricePerGpu, isAvailable } = offer;
    const fields = Object.assign({ priceHourly, pricePerGpu, isAvailable }, ...changes) as Partial<Offer>;
    yield { ...stamp, ...row, kind: "added", before: null, after: encodeFields(fields) };
  }
}

async function* differencesOf(
  transaction: Transaction<Tables>,
  { sold, remembered }: Record<"sold" | "remembered", readonly string[]>,
  stamp: ChangeStamp,
): AsyncGenerator<ChangeRow> {
  const changed = transaction
    .selectFrom("staged_offer")
    .innerJoin("offer", "offer.id", "staged_offer.id")
    .where("staged_offer.provider", "in", sold)
    .whereRef("offer.body", "!=", "staged_offer.body")
    .select([
      "staged_offer.id as offer_id",
      "staged_offer.provider",
      "staged_offer.gpu_slug",
      "offer.body as before",
      "staged_offer.body as after",
    ])
    .orderBy("staged_offer.id");
  // In batches by id: a stream would block the connection for writes, and all rows may not fit in memory.
  for (let last = ""; ;) {
    const rows = await changed.where("staged_offer.id", ">", last).limit(OFFERS_A_BATCH).execute();
    for (const { before, after, ...row } of rows) {
      for (const change of findOfferChanges(JSON.parse(before) as Offer, JSON.parse(after) as Offer)) {
        const { kind } = change;
        if (kind === "stock" && remembered.includes(row.provider)) {
          continue;
        }
        yield { ...stamp, ...row, kind, before: encodeFields(change.before), after: encodeFields(change.after) };
      }
      last = row.offer_id;
    }
    if (rows.length < OFFERS_A_BATCH) {
      return;
    }
  }
}

/** Records the removal of providers' offers, of all or some scopes, unless they were a sample. Call it before they are removed. */
export async function recordRemoval(
  transaction: Transaction<Tables>,
  { providers, scopes }: { providers: readonly string[]; scopes?: readonly string[] | undefined },
  stamp: ChangeStamp,
): Promise<void> {
  const observed = await listObserved(transaction, providers);
  const offers = transaction.selectFrom("offer").where("provider", "in", observed);
  await recordRemoved(transaction, scopes === undefined ? offers : offers.where("scope", "in", scopes), stamp);
}

async function recordRemoved(
  transaction: Transaction<Tables>,
  offers: SelectQueryBuilder<Tables, "offer", object>,
  { revision, at }: ChangeStamp,
): Promise<void> {
  const columns = ["id", "provider", "gpu_slug", "price_hourly", "price_per_gpu"] as const;
  const rows = await offers.select(columns).orderBy("id").execute();
  const changes = rows.map(({ id, provider, gpu_slug, price_hourly: priceHourly, price_per_gpu: pricePerGpu }) => {
    const before = encodeFields({ priceHourly, pricePerGpu });
    return { revision, at, offer_id: id, provider, gpu_slug, kind: "removed", before, after: null };
  });
  await insertAll(transaction, "offer_change", changes);
}
