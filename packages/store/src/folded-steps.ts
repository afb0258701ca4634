import { createHash } from "node:crypto";
import { present, type SeriesStep } from "@gpu-offers/domain";
import { gpuSets } from "@gpu-offers/domain/gpus";
import {
  everyHour,
  priceSteps,
  stepStart,
  type MarketPoint,
  type PriceStep,
  type SeriesRange,
} from "@gpu-offers/domain/history";
import type { Transaction } from "kysely";
import { findBound, insertAll, type Database } from "./database.js";
import { listObservedHours } from "./observed-hours.js";
import type { Tables } from "./tables.js";

// What GPUs cost in an hour, a day or a week: of each slug, and of the families and others that are asked for together, so that a
// request for their prices reads one row a point. Points of other sets are put together from market points.

const DAY_MS = 86_400_000;

/** Days whose hours are kept: those of a series, and a margin. */
const HOURS_KEPT_DAYS = 16;

/** Days of the past that are folded with a reading, such as those of a former version. */
const PAST_DAYS_AT_ONCE = 4;

const KEY = ["name", "step", "period"] as const;

interface GpuSet {
  name: string;
  slugs: readonly string[];
}

function setOf(slugs: readonly string[]): GpuSet {
  const hash = createHash("sha256").update(slugs.join(" ")).digest("base64url").slice(0, 16);
  return { slugs, name: slugs.length === 1 ? present(slugs[0]) : `+${hash}` };
}

let setsBySlug: ReadonlyMap<string, readonly GpuSet[]> | undefined;

/** The sets that have a slug, itself included. */
function setsWith(slug: string): readonly GpuSet[] {
  setsBySlug ??= Map.groupBy(
    gpuSets()
      .map(setOf)
      .flatMap((set) => set.slugs.map((own) => Object.assign({ own }, set))),
    ({ own }) => own,
  );
  return [setOf([slug]), ...(setsBySlug.get(slug) ?? [])];
}

/** The points of a day or of its hours, or until another day, oldest first, by slug. */
async function pointsOf(
  database: Database,
  step: "day" | "hour",
  day: string,
  until = day,
): Promise<Map<string, MarketPoint[]>> {
  const rows = await database
    .selectFrom("market_point")
    .where("step", "=", step)
    .where("period", ">=", day)
    .where("period", "<", `${until}U`)
    .orderBy("period")
    .select(["gpu_slug", "period", "sellers"])
    .execute();
  const points = rows.map(({ gpu_slug: slug, period, sellers }) => ({
    slug,
    atMs: Date.parse(step === "day" ? period : `${period}:00:00Z`),
    sellers: JSON.parse(sellers) as MarketPoint["sellers"],
  }));
  return Map.groupBy(points, ({ slug }) => slug);
}

/** Folds a day with what a provider's reading at a time left, once its points are written. */
export async function foldSteps(transaction: Transaction<Tables>, provider: string, at: string): Promise<void> {
  const [day, hour] = [at.slice(0, 10), at.slice(0, 13)];
  const points = await pointsOf(transaction, "day", day);
  const known = transaction.selectFrom("market_step").where("step", "=", "day").where("period", "=", day);
  const isNew = (await known.select("name").limit(1).executeTakeFirst()) === undefined;
  const touched = [...points].flatMap(([slug, [point]]) => (isNew || point?.sellers[provider] ? [slug] : []));
  const sets = await foldDay(transaction, points, touched);
  await foldHours(transaction, { sets, points, day, hour });
  const week = mondayOf(day);
  if (week < (await findLastWeek(transaction))) {
    await foldWeek(transaction, week, sets);
  }
  await foldPast(transaction, PAST_DAYS_AT_ONCE);
}

function mondayOf(day: string): string {
  return new Date(stepStart(Date.parse(day), "week")).toISOString().slice(0, 10);
}

/** The Monday of the last observed week, which isn't folded, because each reading would have to read all of it. */
async function findLastWeek(database: Database): Promise<string> {
  const days = database.selectFrom("market_point").where("step", "=", "day");
  return mondayOf((await findBound(days, "max", "period")) ?? "1970-01-01");
}

/** Writes a week of some sets, or of all. */
async function foldWeek(transaction: Database, monday: string, sets?: readonly GpuSet[]): Promise<void> {
  const sunday = new Date(Date.parse(monday) + 6 * DAY_MS).toISOString().slice(0, 10);
  const points = await pointsOf(transaction, "day", monday, sunday);
  const rows = (sets ?? setsOf(points.keys())).flatMap((set) =>
    rowsOf(
      set,
      "week",
      priceSteps(
        inSet(set, points).sort((a, b) => a.atMs - b.atMs),
        "week",
      ),
    ),
  );
  await insertAll(transaction, "market_step", rows, KEY);
}

/** The sets that have one of these slugs. */
function setsOf(slugs: Iterable<string>): GpuSet[] {
  return [...new Map([...slugs].flatMap(setsWith).map((set) => [set.name, set])).values()];
}

/** Writes the day of all sets that have one of these slugs, and returns them. */
async function foldDay(
  transaction: Database,
  points: ReadonlyMap<string, readonly MarketPoint[]>,
  slugs: readonly string[],
): Promise<GpuSet[]> {
  const sets = setsOf(slugs);
  const rows = sets.flatMap((set) => rowsOf(set, "day", priceSteps(inSet(set, points), "day")));
  await insertAll(transaction, "market_step", rows, KEY);
  return sets;
}

/** Folds days and weeks of the past that no reading has folded, newest first, such as those of a former version. */
export async function foldPast(transaction: Database, most: number): Promise<void> {
  const days = await listPeriods(transaction, "market_point", "day");
  const isFolded = await listPeriods(transaction, "market_step", "day");
  for (const day of [...days].filter((one) => !isFolded.has(one)).slice(-most)) {
    const points = await pointsOf(transaction, "day", day);
    await foldDay(transaction, points, [...points.keys()]);
  }
  const last = await findLastWeek(transaction);
  const folded = await listPeriods(transaction, "market_step", "week");
  const weeks = [...new Set([...days].map(mondayOf))].filter((week) => week < last && !folded.has(week));
  for (const week of weeks.slice(-Math.ceil(most / 7))) {
    await foldWeek(transaction, week);
  }
}

/**
 * The days or weeks that a table has, oldest first. They are compared here, because PostgreSQL would compare each with each as
 * soon as they don't fit into its memory.
 */
async function listPeriods(
  database: Database,
  table: "market_point" | "market_step",
  step: SeriesStep,
): Promise<Set<string>> {
  const rows = database.selectFrom(table).where("step", "=", step).select("period").distinct();
  return new Set((await rows.orderBy("period").execute()).map(({ period }) => period));
}

interface ReadHour {
  sets: readonly GpuSet[];
  /** Those of the day. */
  points: ReadonlyMap<string, readonly MarketPoint[]>;
  day: string;
  hour: string;
}

/**
 * The hour of the last reading is what the day has of the providers that were read in it. If something was read later, or if
 * the hours before aren't folded, all hours of the day are folded from their points.
 */
async function foldHours(transaction: Transaction<Tables>, { sets, points, day, hour }: ReadHour): Promise<void> {
  const providers = [...new Set([...points.values()].flatMap(([point]) => Object.keys(point?.sellers ?? {})))];
  const read = await listObservedHours(transaction, providers, { since: day, until: `${day}U` });
  const hourMs = Date.parse(`${hour}:00:00Z`);
  const now = new Set(providers.filter((name) => read.get(name)?.includes(hourMs)));
  const isLast = [...read.values()].every((hours) => (hours.at(-1) ?? 0) <= hourMs);
  const folded = new Set(await listFoldedNames(transaction, day));
  const others = sets.filter(({ name }) => !isLast || !folded.has(name));
  const ofHours = others.length === 0 ? new Map<string, MarketPoint[]>() : await pointsOf(transaction, "hour", day);
  const rows = sets.flatMap((set) => {
    const steps = others.includes(set)
      ? everyHour(inSet(set, ofHours), read)
      : inSet(set, points).map(({ sellers }) => ({
          atMs: hourMs,
          sellers: Object.fromEntries(Object.entries(sellers).filter(([name]) => now.has(name))),
        }));
    return rowsOf(set, "hour", priceSteps(steps, "hour"));
  });
  await insertAll(transaction, "market_step", rows, KEY);
  if (folded.size === 0) {
    const keptSince = new Date(Date.parse(day) - HOURS_KEPT_DAYS * DAY_MS).toISOString();
    await transaction
      .deleteFrom("market_step")
      .where("step", "=", "hour")
      .where("period", "<", keptSince.slice(0, 10))
      .execute();
  }
}

async function listFoldedNames(database: Database, day: string): Promise<string[]> {
  const hours = database.selectFrom("market_step").where("step", "=", "hour").where("period", ">=", day);
  const rows = await hours.where("period", "<", `${day}U`).select("name").distinct().execute();
  return rows.map(({ name }) => name);
}

function inSet({ slugs }: GpuSet, points: ReadonlyMap<string, readonly MarketPoint[]>): MarketPoint[] {
  return slugs.flatMap((slug) => points.get(slug) ?? []);
}

function rowsOf({ name }: GpuSet, step: SeriesStep, steps: readonly PriceStep[]): Tables["market_step"][] {
  return steps.map(({ atMs, ...folded }) => ({
    name,
    step,
    period: new Date(atMs).toISOString().slice(0, step === "hour" ? 13 : 10),
    folded: JSON.stringify(folded),
  }));
}

/** The hours, days or weeks of some GPUs that are folded, by their day or week in milliseconds since 1970. */
export async function listFoldedSteps(
  database: Database,
  slugs: readonly string[],
  { step, sinceMs, untilMs }: SeriesRange,
): Promise<Map<number, PriceStep[]>> {
  const rows = await database
    .selectFrom("market_step")
    .where("name", "=", setOf(slugs).name)
    .where("step", "=", step)
    .where("period", ">=", new Date(sinceMs).toISOString().slice(0, 10))
    .where("period", "<=", `${new Date(untilMs).toISOString().slice(0, 10)}U`)
    .orderBy("period")
    .select(["period", "folded"])
    .execute();
  const steps = rows.map(({ period, folded }) => {
    const atMs = Date.parse(step === "hour" ? `${period}:00:00Z` : period);
    return Object.assign(JSON.parse(folded) as Omit<PriceStep, "atMs">, { atMs });
  });
  return Map.groupBy(steps, ({ atMs }) => Math.floor(atMs / DAY_MS) * DAY_MS);
}
