import { isMarketplace } from "@gpu-offers/sources";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { PriceChange } from "@gpu-offers/domain";
import {
  KNOWN_FOR_MS,
  newMachines,
  priceChange,
  type MachineDay,
  type MachinePrices,
  type MarketPoint,
  type NewMachines,
  type SellerPoint,
} from "@gpu-offers/domain/history";
import { sql, type Transaction } from "kysely";
import { batchesOf, findBound, kindOf, type Database } from "./database.js";
import { MAY_RENT } from "./offer-row.js";
import type { Tables } from "./tables.js";

// What observations left of each GPU, folded into its days and hours when it is written. A day has all providers that were read
// on it; an hour those of whose offers of this GPU any changed or that were first read on its day.

const NOT_SOLD: SellerPoint = { n: 0, p: {}, r: [] };

interface SlugPoint {
  seller: SellerPoint;
  /** JSON: prices by machine. */
  machines: string;
}

/** What a provider had of a GPU in an hour, or in a day with its machines. */
type OwnPoint = Pick<SlugPoint, "seller"> & Partial<SlugPoint> & { slug: string; step: "day" | "hour"; period: string };

/** The offers of a provider, when they were read, and the readings before that, and after it on the same day. */
interface ReadOffers {
  provider: string;
  table: "offer" | "staged_offer";
  at: string;
  before: string | undefined;
  later: string | undefined;
}

/** Folds the offers of a provider into the points of an hour and a day. Returns the GPUs that were read, and whose day changed. */
export async function foldMarket(
  transaction: Transaction<Tables>,
  { provider, at, table, before, later }: ReadOffers,
): Promise<{ read: string[]; changed: string[] }> {
  const [day, hour, laterHour] = [at.slice(0, 10), at.slice(0, 13), later?.slice(0, 13)];
  const points = await readPoints(transaction, provider, table);
  const known = await listOwn(transaction, provider, { step: "day", since: day, until: day });
  const dayBefore = before?.slice(0, 10);
  const sold =
    dayBefore === day ? known : await listOwn(transaction, provider, { step: "day", since: dayBefore ?? "U" });
  // GPUs that it had at its last reading, and has no longer.
  for (const [slug, { seller }] of sold) {
    if (seller.n > 0 && !points.has(slug)) {
      points.set(slug, { seller: NOT_SOLD, machines: "{}" });
    }
  }
  const puts: OwnPoint[] = [];
  if (laterHour !== undefined && laterHour > hour) {
    // What the later reading left as it was changes now.
    const held = await listOwn(transaction, provider, { step: "hour", since: day, until: laterHour });
    for (const slug of new Set([...held.keys(), ...points.keys()])) {
      const { seller } = held.get(slug) ?? { seller: NOT_SOLD };
      puts.push({ slug, step: "hour", period: laterHour, seller });
    }
  }
  const changed: string[] = [];
  for (const [slug, { seller, machines }] of points) {
    const had = known.get(slug);
    const isSame = isDeepStrictEqual(had?.seller, seller);
    if (later === undefined && !(isSame && isDeepStrictEqual(had?.machines, JSON.parse(machines)))) {
      changed.push(slug);
      puts.push({ slug, step: "day", period: day, seller, machines });
    }
    if (later === undefined ? !isSame : hour < (laterHour ?? "")) {
      puts.push({ slug, step: "hour", period: hour, seller });
    }
  }
  await putPoints(transaction, provider, puts);
  return { read: [...points.keys()], changed };
}

/** What a table has of a provider, by slug. The database groups the offers, because reading all of them takes longer. */
async function readPoints(
  transaction: Transaction<Tables>,
  provider: string,
  table: "offer" | "staged_offer",
): Promise<Map<string, SlugPoint>> {
  const { textInJson, collectJson, collectObject } = kindOf(transaction);
  const { rows } = await sql<
    Record<"gpu_slug" | "machines", string> &
      Record<"gpu_count" | "listed", number | string> &
      Record<"prices" | "regions", string | null>
  >`
    with machine as materialized (
      select gpu_slug, gpu_count, price_per_gpu, ${MAY_RENT} as may_rent, ${textInJson("body", "region")} as region,
        case when length(id) = 36 then substr(id, 1, 8) else id end as name
      from ${sql.table(table)} where provider = ${provider}
    )
    select gpu_slug, gpu_count, count(*) as listed,
      cast(${collectJson}(price_per_gpu order by price_per_gpu) filter (where may_rent) as text) as prices,
      cast(${collectJson}(distinct region) filter (where may_rent) as text) as regions,
      cast(${collectObject}(name, price_per_gpu) as text) as machines
    from machine group by gpu_slug, gpu_count`.execute(transaction);
  const points = new Map<string, SlugPoint>();
  for (const [slug, sizes] of Map.groupBy(rows, (row) => row.gpu_slug)) {
    const regions = new Set(sizes.flatMap((size) => JSON.parse(size.regions ?? "[]") as string[]));
    const prices = sizes.map((size) => [size.gpu_count, JSON.parse(size.prices ?? "[]") as number[]] as const);
    points.set(slug, {
      seller: {
        n: sizes.reduce((sum, { listed }) => sum + Number(listed), 0),
        p: Object.fromEntries(prices.filter(([, ofSize]) => ofSize.length > 0)),
        r: [...regions].sort(),
      },
      machines: `{${sizes.map(({ machines }) => machines.slice(1, -1)).join(",")}}`,
    });
  }
  return points;
}

/** The last points of a provider in some days or hours, by slug. */
async function listOwn(
  database: Database,
  provider: string,
  { step, since, until = since }: { step: "day" | "hour"; since: string; until?: string },
): Promise<Map<string, { seller: SellerPoint; machines: unknown }>> {
  const { fieldOf } = kindOf(database);
  const rows = await database
    .selectFrom("market_point")
    .where("step", "=", step)
    .where("period", ">=", since)
    .where("period", "<=", until)
    .orderBy("period")
    .select(["gpu_slug", fieldOf("sellers", provider).as("seller"), fieldOf("machines", provider).as("machines")])
    .execute();
  return new Map(
    rows.flatMap(({ gpu_slug: slug, seller, machines }) =>
      seller === null
        ? []
        : [[slug, { seller: JSON.parse(seller) as SellerPoint, machines: JSON.parse(machines ?? "null") as unknown }]],
    ),
  );
}

/** Writes what a provider had, beside the other providers of these times. */
async function putPoints(transaction: Transaction<Tables>, provider: string, points: OwnPoint[]): Promise<void> {
  const replaced = (column: string) => kindOf(transaction).withExcluded("market_point", column, provider);
  const ofProvider = (json: string): string => `{${JSON.stringify(provider)}:${json}}`;
  const rows = points.map(({ slug, seller, machines, ...time }) => ({
    ...time,
    gpu_slug: slug,
    sellers: ofProvider(JSON.stringify(seller)),
    machines: machines === undefined ? null : ofProvider(machines),
  }));
  for await (const batch of batchesOf(rows)) {
    const set = { sellers: replaced("sellers"), machines: replaced("machines") };
    const insert = transaction.insertInto("market_point").values(batch);
    await insert.onConflict((key) => key.columns(["gpu_slug", "step", "period"]).doUpdateSet(set)).execute();
  }
}

/** The points of some GPUs, or of all, between two times in milliseconds since 1970, oldest first. */
export async function listMarketPoints(
  database: Database,
  slugs: readonly string[] | undefined,
  { step, sinceMs, untilMs }: { step: "day" | "hour"; sinceMs: number; untilMs: number },
): Promise<(MarketPoint & { slug: string })[]> {
  const length = step === "day" ? 10 : 13;
  const rows = await database
    .selectFrom("market_point")
    .$if(slugs !== undefined, (query) => query.where("gpu_slug", "in", slugs ?? []))
    .where("step", "=", step)
    .where("period", ">=", periodOf(sinceMs, length))
    .where("period", "<=", periodOf(untilMs, length))
    .select(["gpu_slug", "period", "sellers"])
    .execute();
  return rows
    .map(({ gpu_slug: slug, period, sellers }) => ({
      slug,
      atMs: Date.parse(step === "day" ? period : `${period}:00:00Z`),
      sellers: JSON.parse(sellers) as MarketPoint["sellers"],
    }))
    .sort((a, b) => a.atMs - b.atMs);
}

/** The day, or with 13 characters the hour, of a time in milliseconds since 1970. */
export function periodOf(ms: number, length = 10): string {
  return new Date(ms).toISOString().slice(0, length);
}

function daysOf(database: Database, slugs: readonly string[]) {
  return database.selectFrom("market_point").where("gpu_slug", "in", slugs).where("step", "=", "day");
}

type TimeRange = Record<"sinceMs" | "untilMs", number>;

function daysIn(database: Database, slugs: readonly string[], { sinceMs, untilMs }: TimeRange) {
  const days = daysOf(database, slugs);
  return days.where("period", ">=", periodOf(sinceMs)).where("period", "<=", periodOf(untilMs));
}

/** The prices of single machines on the day of a time, for each slug. */
export async function findMachines(database: Database, slugs: readonly string[], dayMs: number): Promise<MachineDay> {
  const day = periodOf(dayMs);
  const machines: MachinePrices[] = [];
  const rows = await daysOf(database, slugs).where("period", "=", day).select(["gpu_slug", "machines"]).execute();
  const texts = new Map(rows.map((row) => [row.gpu_slug, row.machines]));
  for (const slug of slugs) {
    machines.push(JSON.parse(texts.get(slug) ?? "{}") as MachinePrices);
    await nextTurn();
  }
  return { day, machines };
}

/** Bytes of the machines of some days, such as `2026-11-01`. */
export async function countMachineBytes(database: Database, slugs: readonly string[], on: string[]): Promise<number> {
  const days = daysOf(database, slugs).where("period", "in", on);
  const bytes = sql<number | string | null>`sum(octet_length(machines))`.as("bytes");
  return Number((await days.select(bytes).executeTakeFirst())?.bytes ?? 0);
}

/** The first and the last day of points between two times in milliseconds since 1970; undefined without any. */
export async function findObservedDays(
  database: Database,
  slugs: readonly string[],
  range: TimeRange,
): Promise<{ fromMs: number; untilMs: number } | undefined> {
  const days = daysIn(database, slugs, range);
  const [first, last] = [await findBound(days, "min", "period"), await findBound(days, "max", "period")];
  return first === undefined || last === undefined
    ? undefined
    : { fromMs: Date.parse(first), untilMs: Date.parse(last) };
}

/** The days between two times on which some GPUs were observed, oldest first: their starts in milliseconds since 1970. */
export async function listObservedDays(
  database: Database,
  slugs: readonly string[],
  range: TimeRange,
): Promise<number[]> {
  const rows = await daysIn(database, slugs, range).select("period").distinct().orderBy("period").execute();
  return rows.map(({ period }) => Date.parse(period));
}

/** When some GPUs were first observed: ISO 8601 UTC; null if never. */
export async function findTrackedSince(database: Database, slugs: readonly string[]): Promise<string | null> {
  const days = daysOf(database, slugs).orderBy("period").limit(1);
  const row = await days.select(["period", "sellers"]).executeTakeFirst();
  if (row === undefined) {
    return null;
  }
  const readings = database
    .selectFrom("observation")
    .where("provider", "in", Object.keys(JSON.parse(row.sellers) as MarketPoint["sellers"]))
    .where("at", ">=", row.period);
  return (await findBound(readings, "min", "at")) ?? `${row.period}T00:00:00.000Z`;
}

/** Start of the points that a series needs: see {@link KNOWN_FOR_MS}. */
export function lookBackMs(sinceMs: number): number {
  return Math.max(0, sinceMs - KNOWN_FOR_MS);
}

/**
 * What changed of GPUs, by default of all, from the first to the last observed day since a time, by slug: prices, and which
 * machines came.
 */
export async function listChanges(
  database: Database,
  sinceMs: number,
  slugs?: readonly string[],
): Promise<ReadonlyMap<string, { change: PriceChange; came: NewMachines }>> {
  const ends = await database
    .selectFrom("market_point")
    .$if(slugs !== undefined, (query) => query.where("gpu_slug", "in", slugs ?? []))
    .where("step", "=", "day")
    .where("period", ">=", periodOf(sinceMs))
    .groupBy("gpu_slug")
    .select(({ fn }) => ["gpu_slug", fn.min("period").as("first"), fn.max("period").as("last")])
    .execute();
  const changes = new Map<string, { change: PriceChange; came: NewMachines }>();
  for (const { gpu_slug: slug, first, last } of ends) {
    const from = await findMachines(database, [slug], Date.parse(first));
    const until = first === last ? from : await findMachines(database, [slug], Date.parse(last));
    changes.set(slug, { change: priceChange(from, until), came: newMachines(from, until, isMarketplace) });
    await nextTurn();
  }
  return changes;
}
