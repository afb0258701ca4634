import { present } from "@gpu-offers/domain";
import {
  addStockChange,
  addStockDays,
  readStockChanges,
  STOCK_DAYS,
  stockSpans,
  stockSteps,
  type StockMark,
} from "@gpu-offers/domain/history";
import { sql, type Transaction } from "kysely";
import { insertAll, isMissingIn, kindOf, type Database } from "./database.js";
import { forgetGone } from "./gone-offers.js";
import { readStockObservations } from "./remembered-stock.js";
import { mayBeSomewhere } from "./offer-row.js";
import type { Tables } from "./tables.js";

// The memory of stock: what each observation that knows stock changed, of each offer and of each GPU by provider, size and
// region. Together with the times of the observations it says how often a machine was to be had.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** SQL: what was seen of an offer, as of `availabilityOf`. Matches the text, because this runs for all offers. */
const MARK = sql<StockMark>`case
  when offer.listing like '%"availability":"in_stock"%' then '+'
  when offer.listing like '%"availability":"sold_out"%' then '-'
  when offer.listing like '%"availability":"%' then '?'
  when offer.body like '%"isAvailable":true%' then '+'
  else '-' end`;

const GPU_KEY = ["provider", "gpu_slug", "gpu_count", "region"] as const;

type OfferStock = Tables["offer_stock"];
type GpuStockRow = Tables["gpu_stock"];

/** Whether the stock of a provider was observed before. */
export async function isStockRemembered(database: Database, provider: string): Promise<boolean> {
  const stock = database.selectFrom("gpu_stock").where("provider", "=", provider).select("mark").limit(1);
  return (await stock.executeTakeFirst()) !== undefined;
}

/** Remembers what an observation saw, once the offers of its provider are written. */
export async function rememberStock(
  transaction: Transaction<Tables>,
  { provider, source, at, isComplete }: { provider: string; source: string | null; at: string; isComplete: boolean },
): Promise<void> {
  const atMs = Date.parse(at);
  const missing: StockMark = isComplete ? "-" : "?";
  const changesOf = ({ changes, mark }: { changes: string; mark: string }, sinceMs: number): string =>
    // Written by this module
    addStockChange(changes, { atMs, mark: mark as StockMark }, sinceMs);
  const offers = await listChangedOffers(transaction, provider, missing);
  const sinceMs = atMs - STOCK_DAYS * DAY_MS;
  const seen = offers.map((row) => Object.assign(row, { changed_at: at, changes: changesOf(row, sinceMs) }));
  await insertAll(transaction, "offer_stock", seen, ["offer_id"]);
  if (!(await keepsMissing(transaction, source))) {
    const known = transaction.deleteFrom("offer_stock").where("provider", "=", provider);
    await known.where(isMissingIn("offer", "offer_id")).where(isMissingIn("gone_offer", "offer_id")).execute();
  }
  const gpus = await listChangedGpus(transaction, provider, missing);
  await insertAll(
    transaction,
    "gpu_stock",
    gpus.map((row) => {
      const foldedTo = row.folded_to === "" ? at.slice(0, 10) : row.folded_to;
      return Object.assign(row, { folded_to: foldedTo, changes: changesOf(row, Date.parse(foldedTo)) });
    }),
    GPU_KEY,
  );
}

/** Whether all offers that are missing were sold: the host of a marketplace offers another machine. */
async function keepsMissing(database: Database, source: string | null): Promise<boolean> {
  const sources = database
    .selectFrom("live_source")
    .where("name", "=", source ?? "")
    .select("kind");
  return (await sources.executeTakeFirst())?.kind !== "marketplace";
}

/** Offers of which something else was seen than before. */
async function listChangedOffers(
  transaction: Transaction<Tables>,
  provider: string,
  missing: StockMark,
): Promise<Omit<OfferStock, "changed_at">[]> {
  const seen = await transaction
    .selectFrom("offer")
    .leftJoin("offer_stock", "offer_stock.offer_id", "offer.id")
    .where("offer.provider", "=", provider)
    .where(sql<boolean>`coalesce(offer_stock.mark, '') <> ${MARK}`)
    .where((row) => row.or([mayBeSomewhere(transaction), row("offer_stock.mark", "is not", null)]))
    .select(["offer.id as offer_id", "offer.scope", "offer_stock.changes", MARK.as("mark")])
    .execute();
  const gone = await transaction
    .selectFrom("offer_stock")
    .where("provider", "=", provider)
    .where("mark", "<>", missing)
    .where(isMissingIn("offer", "offer_id"))
    .select(["offer_id", "scope", "changes"])
    .execute();
  return [
    ...seen.map((row) => Object.assign(row, { provider, changes: row.changes ?? "" })),
    ...gone.map((row) => Object.assign(row, { provider, mark: missing })),
  ];
}

/** The GPUs of a provider, by size and region, of which something else was seen than before. */
async function listChangedGpus(
  transaction: Transaction<Tables>,
  provider: string,
  missing: StockMark,
): Promise<GpuStockRow[]> {
  const { textInJson } = kindOf(transaction);
  const { rows: seen } = await sql<Pick<GpuStockRow, "gpu_slug" | "gpu_count" | "region" | "scope" | "mark">>`
    select gpu_slug, gpu_count, region, min(scope) as scope, case max(level) when 2 then '+' when 1 then '-' else '?' end as mark from (
      select gpu_slug, gpu_count, scope, ${textInJson("body", "region")} as region,
        case ${MARK} when '+' then 2 when '-' then 1 else 0 end as level
      from offer where provider = ${provider} and ${mayBeSomewhere(transaction)}
    ) as machine group by gpu_slug, gpu_count, region`.execute(transaction);
  const known = await transaction.selectFrom("gpu_stock").where("provider", "=", provider).selectAll().execute();
  const keyOf = ({ gpu_slug: slug, gpu_count: count, region }: (typeof seen)[number]): string =>
    `${slug} ${count} ${region}`;
  const rows = new Map(known.map((row) => [keyOf(row), row]));
  const now = new Map(seen.map((row) => [keyOf(row), row]));
  const changed = seen.filter((row) => rows.get(keyOf(row))?.mark !== row.mark);
  return [
    ...changed.map((row) =>
      Object.assign({ changes: "", days: "", folded_to: "" }, rows.get(keyOf(row)), row, { provider }),
    ),
    ...known
      .filter((row) => !now.has(keyOf(row)) && row.mark !== missing)
      .map((row) => Object.assign(row, { mark: missing })),
  ];
}

/**
 * Folds changes of stock that are older than {@link STOCK_DAYS} into the sums of their days, and forgets offers that are
 * gone for as long.
 * @param keptSince ISO 8601 UTC: sums of days before are removed.
 */
export async function foldStock(
  database: Database,
  { nowMs, keptSince }: { nowMs: number; keptSince: string },
): Promise<void> {
  const foldedTo = new Date(nowMs - STOCK_DAYS * DAY_MS).toISOString().slice(0, 10);
  const endMs = Date.parse(foldedTo);
  await database.transaction().execute(async (transaction) => {
    // An import writes the same rows.
    await kindOf(transaction).lockForWriting(transaction, "catalog_revision");
    const due = await transaction.selectFrom("gpu_stock").where("folded_to", "<", foldedTo).selectAll().execute();
    const [first] = due.map((row) => row.folded_to).sort();
    if (first !== undefined) {
      const observed = await readStockObservations(transaction, { sinceMs: Date.parse(first) });
      await insertAll(
        transaction,
        "gpu_stock",
        due.map((row) => {
          const changes = readStockChanges(row.changes);
          const span = { fromMs: Date.parse(row.folded_to), untilMs: endMs };
          const spans =
            observed === undefined ? [] : stockSpans(changes, observed.coverageOf(row.provider, row.scope), span);
          const days = addStockDays(row.days, stockSteps(spans, "day"), Date.parse(keptSince));
          const last = present(changes.at(-1));
          return Object.assign(row, { days, folded_to: foldedTo, changes: addStockChange(row.changes, last, endMs) });
        }),
        GPU_KEY,
      );
    }
    await forgetGone(transaction, nowMs);
    await transaction
      .deleteFrom("offer_stock")
      .where("changed_at", "<", new Date(endMs).toISOString())
      .where(isMissingIn("offer", "offer_id"))
      .where(isMissingIn("gone_offer", "offer_id"))
      .execute();
    const nowhere = transaction.deleteFrom("gpu_stock").where("region", "=", "unknown").where("mark", "=", "-");
    await nowhere.where("changes", "not like", "%+%").execute();
    await transaction.deleteFrom("offer_change").where("kind", "=", "stock").where("at", "<", foldedTo).execute();
  });
}
