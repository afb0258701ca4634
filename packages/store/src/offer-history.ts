import type { Offer, PriceHistory, PricePoint } from "@gpu-offers/domain";
import { MAX_PRICE_CHANGES } from "@gpu-offers/domain/history";
import { readStockChanges } from "@gpu-offers/domain/history";
import { sql, type Selectable, type Transaction } from "kysely";
import { findBound, insertAll, type Database } from "./database.js";
import { GONE_DAYS } from "./gone-offers.js";
import type { Tables } from "./tables.js";

// The log of changes between observations. It is written in the transaction of each change and complete, so folding it
// restores the catalog at any time since its start, without sample offers, which were never observed. Changes of stock are
// kept for {@link STOCK_DAYS}, here or in stock-memory.ts, so isAvailable is the one field that a fold may not restore.

/** Kinds of changes. `disk` is about storage, `stock` about isAvailable, `facts` about everything else. */
export const CHANGE_KINDS = ["added", "removed", "price", "disk", "facts", "stock"] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change of one offer; see the table for the fields. */
export type OfferChange = Omit<Selectable<Tables["offer_change"]>, "kind" | "before" | "after"> & {
  kind: ChangeKind;
  before: Partial<Offer> | null;
  after: Partial<Offer> | null;
};

/** The offer fields of each kind of change; `facts` has the rest. */
const FIELDS = {
  price: ["priceHourly", "pricePerGpu"],
  disk: ["storageCostPerGB", "storageMinGB", "storageMaxGB", "costDataComplete"],
  stock: ["isAvailable"],
} as const satisfies Partial<Record<ChangeKind, readonly (keyof Offer)[]>>;

const KIND_OF = new Map<string, ChangeKind>(
  (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).flatMap((kind) => FIELDS[kind].map((field) => [field, kind])),
);

const PRUNED_A_BATCH = 2_000;
const CHANGES_A_PAGE = 1_000;

/** A removed offer may return for so long, and its addition then has only what differs. A day more, for clocks that are set. */
const RETURNS_WITHIN_MS = (GONE_DAYS + 1) * 86_400_000;

/** Text of changed fields, in which a price alone is an array, because most changes are of prices. */
export function encodeFields(fields: Partial<Offer>): string {
  const { priceHourly, pricePerGpu, ...others } = fields;
  const isPrice = priceHourly !== undefined && pricePerGpu !== undefined && Object.keys(others).length === 0;
  return JSON.stringify(isPrice ? [priceHourly, pricePerGpu] : fields);
}

function decodeFields(text: string | null): Partial<Offer> | null {
  const fields = JSON.parse(text ?? "null") as [number, number] | Partial<Offer> | null;
  return Array.isArray(fields) ? { priceHourly: fields[0], pricePerGpu: fields[1] } : fields;
}

/** The changes of an offer: kinds with the fields that differ, in the order of {@link CHANGE_KINDS}. */
export function findOfferChanges(
  before: Offer,
  after: Offer,
): { kind: ChangeKind; before: Partial<Offer>; after: Partial<Offer> }[] {
  const changes = new Map<ChangeKind, { before: Record<string, unknown>; after: Record<string, unknown> }>();
  const old: Record<string, unknown> = { ...before };
  const next: Record<string, unknown> = { ...after };
  for (const field of new Set([...Object.keys(old), ...Object.keys(next)])) {
    if (JSON.stringify(old[field]) === JSON.stringify(next[field])) {
      continue;
    }
    const kind = KIND_OF.get(field) ?? "facts";
    const change = changes.get(kind) ?? { before: {}, after: {} };
    changes.set(kind, change);
    change.before[field] = old[field] ?? null;
    change.after[field] = next[field] ?? null;
  }
  return CHANGE_KINDS.flatMap((kind) => {
    const change = changes.get(kind);
    return change === undefined ? [] : [{ kind, ...change }];
  });
}

export interface ChangeFilter {
  offerId?: string | undefined;
  providers?: readonly string[] | undefined;
  gpus?: readonly string[] | undefined;
  kinds?: readonly ChangeKind[] | undefined;
  /** ISO 8601 UTC: only changes from this time on. */
  since?: string | undefined;
  /** Only changes after this one. */
  afterId?: number;
  limit?: number;
  /** The latest changes, if there are more than the limit; by default the first ones. */
  isLatest?: boolean;
}

/** SQL condition: a change is of an offer. The index has the starts of their ids. */
const isOf = (id: string) => sql<boolean>`substr(offer_id, 1, 8) = ${id.slice(0, 8)} and offer_id = ${id}`;

/** Changes in chronological order. */
export async function listChanges(database: Database, filter: ChangeFilter = {}): Promise<OfferChange[]> {
  const { offerId, providers, gpus, kinds, since, afterId, limit, isLatest = false } = filter;
  let query = database
    .selectFrom("offer_change")
    .selectAll()
    // PostgreSQL would search the whole log for an offer in the order of its key.
    .orderBy(offerId === undefined ? "id" : sql`id + 0`, isLatest ? "desc" : "asc");
  query = offerId === undefined ? query : query.where(isOf(offerId));
  query = providers === undefined ? query : query.where("provider", "in", providers);
  query = gpus === undefined ? query : query.where("gpu_slug", "in", gpus);
  query = kinds === undefined ? query : query.where("kind", "in", kinds);
  query = since === undefined ? query : query.where("at", ">=", since);
  query = afterId === undefined ? query : query.where("id", ">", afterId);
  query = limit === undefined ? query : query.limit(limit);
  const changes = (await query.execute()).map(toChange);
  return isLatest ? changes.toReversed() : changes;
}

/** All matching changes, read page by page, so that a long log is never in memory at once. */
export async function* streamChanges(database: Database, filter: ChangeFilter = {}): AsyncGenerator<OfferChange> {
  for (let afterId = filter.afterId ?? 0; ;) {
    const page = await listChanges(database, { ...filter, afterId, limit: CHANGES_A_PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < CHANGES_A_PAGE) {
      return;
    }
    afterId = last.id;
  }
}

function toChange(row: Selectable<Tables["offer_change"]>): OfferChange {
  return {
    ...row,
    kind: row.kind as ChangeKind,
    before: decodeFields(row.before),
    after: decodeFields(row.after),
  };
}

/** Offers as changes leave them, by id, and those that were removed and may return. */
interface Fold {
  offers: Map<string, Offer>;
  /** In the order of their removal. */
  gone: Map<string, { offer: Offer; at: string }>;
}

/**
 * The offers at a past time, by id: the base and all changes until then. `isAvailable` dates from when each offer was
 * added, or from its last change if availability is recorded.
 */
export async function foldHistory(
  database: Database,
  { until = "9999" }: { until?: string } = {},
): Promise<Map<string, Offer>> {
  const mark = await findHistoryStart(database);
  const isBefore = mark !== undefined && until < mark.at;
  const fold = foldOf(isBefore ? [] : await database.selectFrom("offer_base").selectAll().execute());
  for await (const change of streamChanges(database)) {
    if (change.at <= until) {
      applyChange(fold, change);
    }
  }
  for (const { offer_id: id, changes } of await database.selectFrom("offer_stock").selectAll().execute()) {
    const offer = fold.offers.get(id);
    const seen = readStockChanges(changes).findLast(({ atMs }) => atMs <= Date.parse(until))?.mark;
    if (offer !== undefined && (seen === "+" || seen === "-")) {
      fold.offers.set(id, { ...offer, isAvailable: seen === "+" });
    }
  }
  return fold.offers;
}

function foldOf(base: readonly Selectable<Tables["offer_base"]>[]): Fold {
  const fold: Fold = { offers: new Map(), gone: new Map() };
  for (const { id, body, gone_at: at } of base.toSorted((a, b) => ((a.gone_at ?? "") < (b.gone_at ?? "") ? -1 : 1))) {
    const offer = JSON.parse(body) as Offer;
    if (at === null) {
      fold.offers.set(id, offer);
    } else {
      fold.gone.set(id, { offer, at });
    }
  }
  return fold;
}

function applyChange({ offers, gone }: Fold, { kind, offer_id: id, at, after }: OfferChange): void {
  const known = offers.get(id) ?? gone.get(id)?.offer;
  gone.delete(id);
  if (kind === "removed") {
    offers.delete(id);
    if (known !== undefined) {
      gone.set(id, { offer: known, at });
    }
    forgetGone(gone, at);
  } else if (kind === "added" && after !== null && "id" in after) {
    offers.set(id, after as Offer);
  } else if (known === undefined) {
    throw new Error(`The log has a change of offer ${id} before its addition.`);
  } else {
    offers.set(id, { ...known, ...after });
  }
}

function forgetGone(gone: Fold["gone"], now: string): void {
  const since = new Date(Date.parse(now) - RETURNS_WITHIN_MS).toISOString();
  for (const [id, { at }] of gone) {
    if (at >= since) {
      return;
    }
    gone.delete(id);
  }
}

/** The time since which the log is complete; undefined if it was never truncated. */
export async function findHistoryStart(database: Database): Promise<{ throughId: number; at: string } | undefined> {
  const row = await database.selectFrom("offer_base_mark").select(["through_id", "at"]).executeTakeFirst();
  return row && { throughId: row.through_id, at: row.at };
}

/**
 * Truncates the log: changes before a time become part of the base. Returns the number of removed changes.
 * @param before ISO 8601 UTC.
 */
export async function pruneHistory(database: Database, before: string): Promise<number> {
  for (let pruned = 0; ;) {
    const count = await database.transaction().execute((transaction) => pruneSome(transaction, before));
    pruned += count;
    if (count < PRUNED_A_BATCH) {
      return pruned;
    }
  }
}

async function pruneSome(transaction: Transaction<Tables>, before: string): Promise<number> {
  const rows = (
    await transaction.selectFrom("offer_change").selectAll().orderBy("id").limit(PRUNED_A_BATCH).execute()
  ).map(toChange);
  // The clock may have been set back, so stop at the first change that is recent enough.
  const end = rows.findIndex(({ at }) => at >= before);
  const old = end === -1 ? rows : rows.slice(0, end);
  const last = old.at(-1);
  if (last === undefined) {
    return 0;
  }
  const changed = transaction.selectFrom("offer_change").where("id", "<=", last.id).select("offer_id");
  const known = await transaction.selectFrom("offer_base").where("id", "in", changed).selectAll().execute();
  const fold = foldOf(known);
  await transaction.deleteFrom("offer_base").where("id", "in", changed).execute();
  old.forEach((change) => applyChange(fold, change));
  const offers = [...fold.offers].map(([id, offer]) => ({ id, body: JSON.stringify(offer), gone_at: null }));
  const gone = [...fold.gone].map(([id, { offer, at }]) => ({ id, body: JSON.stringify(offer), gone_at: at }));
  await insertAll(transaction, "offer_base", [...offers, ...gone]);
  const since = new Date(Date.parse(last.at) - RETURNS_WITHIN_MS).toISOString();
  await transaction.deleteFrom("offer_base").where("gone_at", "<", since).execute();
  await insertAll(transaction, "offer_base_mark", [{ id: 1, through_id: last.id, at: last.at }], ["id"]);
  await transaction.deleteFrom("offer_change").where("id", "<=", last.id).execute();
  return old.length;
}

const PRICE_KINDS = ["added", "removed", "price"] as const;

export class PriceHistoryStore {
  constructor(private readonly database: Database) {}

  /** The price history of an offer; undefined if the log has no such offer. */
  async find(offer: string): Promise<PriceHistory | undefined> {
    const changes = await listChanges(this.database, {
      offerId: offer,
      kinds: PRICE_KINDS,
      limit: MAX_PRICE_CHANGES + 1,
      isLatest: true,
    });
    const isComplete = changes.length <= MAX_PRICE_CHANGES;
    const latest = changes.slice(-MAX_PRICE_CHANGES).map(pointOf);
    const base = await findBasePoint(this.database, offer);
    const prices = isComplete && base !== undefined ? [base, ...latest] : latest;
    const logged = this.database.selectFrom("offer_change").where(isOf(offer));
    const trackedSince = base?.at ?? (await findBound(logged, "min", "at")) ?? prices[0]?.at;
    return trackedSince === undefined ? undefined : { offer, trackedSince, isComplete, prices };
  }

  /** Whether an offer is of a sample, which enters no history. */
  async isSample(offer: string): Promise<boolean> {
    const offers = this.database.selectFrom("offer").innerJoin("provider", "provider.name", "offer.provider");
    const samples = offers.where("offer.id", "=", offer).where("is_sample", "=", 1).select("offer.id");
    return (await samples.executeTakeFirst()) !== undefined;
  }
}

function pointOf({ at, kind, after }: OfferChange): PricePoint {
  return { at, priceHourly: kind === "removed" ? null : priceOf(after) };
}

function priceOf(fields: Partial<Offer> | null): number {
  if (fields?.priceHourly === undefined) {
    throw new Error("A price change in the log has no price.");
  }
  return fields.priceHourly;
}

/** The offer's price where the log was truncated. */
async function findBasePoint(database: Database, offer: string): Promise<PricePoint | undefined> {
  const start = await findHistoryStart(database);
  const base = database.selectFrom("offer_base").where("id", "=", offer).where("gone_at", "is", null);
  const row = await base.select("body").executeTakeFirst();
  return start && row && { at: start.at, priceHourly: priceOf(JSON.parse(row.body) as Offer) };
}
