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
import { findBound, insertAll, kindOf, type Database } from "./database.js";
import { listMarketPoints, periodOf } from "./market-points.js";
import { listObservedHours } from "./observed-hours.js";
import type { Tables } from "./tables.js";

// What GPUs cost in an hour, a day or a week: of each slug, and of the families and others that are asked for together, so that a
// request for their prices reads one row for all hours of a day, for a day, or for a week. Points of other sets are put together
// from market points. All of it can be folded again, but for hours whose points are gone.

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Number of the form of the rows. Days and weeks of another form are folded again, but hours would have to be converted. */
const FORM = 1;

/** Days, or else weeks, that are folded in a transaction. */
const DAYS_AT_ONCE = 8;
const WEEKS_AT_ONCE = 4;

/** Days whose hours are kept as points, too: files and readings of other processes may come late. */
const HOUR_POINTS_DAYS = 2;

const KEY = ["name", "step", "period"] as const;

/** The row that says what is folded. */
const MARK = { name: "", step: "day", period: "" } as const;

interface GpuSet {
  name: string;
  slugs: readonly string[];
}

function setOf(slugs: readonly string[]): GpuSet {
  const hash = createHash("sha256").update(slugs.join(" ")).digest("base64url").slice(0, 16);
  return { slugs, name: slugs.length === 1 ? present(slugs[0]) : `+${hash}` };
}

let setsBySlug: ReadonlyMap<string, readonly GpuSet[]> | undefined;

function setsWith(slug: string): readonly GpuSet[] {
  setsBySlug ??= Map.groupBy(
    gpuSets()
      .map(setOf)
      .flatMap((set) => set.slugs.map((own) => Object.assign({ own }, set))),
    ({ own }) => own,
  );
  return [setOf([slug]), ...(setsBySlug.get(slug) ?? [])];
}

async function pointsOf(database: Database, step: "day" | "hour", day: string, days = 1) {
  const sinceMs = Date.parse(day);
  const points = await listMarketPoints(database, undefined, { step, sinceMs, untilMs: sinceMs + days * DAY_MS - 1 });
  return Map.groupBy(points, ({ slug }) => slug);
}

/** When the first observation was made that isn't folded, such as one that another version wrote: ISO 8601 UTC. */
async function findUnfolded(database: Database): Promise<string | undefined> {
  const rows = database.selectFrom("price_step").where("name", "=", MARK.name);
  const row = await rows
    .where("step", "=", MARK.step)
    .where("period", "=", MARK.period)
    .select("folded")
    .executeTakeFirst();
  const { form, through } = JSON.parse(row?.folded ?? "{}") as { form?: number; through?: number };
  const later = database.selectFrom("observation").where("id", ">", form === FORM ? (through ?? 0) : 0);
  return findBound(later, "min", "at");
}

/** Says that all observations are folded, or will be by {@link foldPast}. */
export async function markFolded(transaction: Transaction<Tables>): Promise<void> {
  const through = (await findBound(transaction.selectFrom("observation"), "max", "id")) ?? 0;
  await insertAll(transaction, "price_step", [{ ...MARK, folded: JSON.stringify({ form: FORM, through }) }], KEY);
}

/** Forgets the days and weeks from the first one on whose observations aren't all folded. */
export async function forgetUnfolded(transaction: Transaction<Tables>): Promise<void> {
  const day = (await findUnfolded(transaction))?.slice(0, 10);
  if (day !== undefined) {
    const rows = transaction.deleteFrom("price_step");
    await rows.where("step", "=", "day").where("period", ">=", day).execute();
    await rows.where("step", "=", "week").where("period", ">=", mondayOf(day)).execute();
  }
}

/**
 * Folds a day with what a provider's reading at a time left, once its points are written.
 * @param about the GPUs that were read, if they changed, and those whose points of the day changed.
 */
export async function foldSteps(
  transaction: Transaction<Tables>,
  about: { provider: string; at: string; read?: readonly string[]; changed?: readonly string[] },
): Promise<void> {
  const { provider, at, read = [], changed = [] } = about;
  const day = at.slice(0, 10);
  const points = await pointsOf(transaction, "day", day);
  const known = transaction.selectFrom("price_step").where("step", "=", "day").where("period", "=", day);
  const isNew = (await known.select("name").limit(1).executeTakeFirst()) === undefined;
  await foldDay(transaction, points, isNew ? [...points.keys()] : changed);
  const own = [...points].flatMap(([slug, [point]]) => (isNew || point?.sellers[provider] ? [slug] : []));
  const slugs = [...new Set([...read, ...own])];
  await foldHours(transaction, { slugs, points, day, hour: isNew ? undefined : at.slice(0, 13) });
  const week = mondayOf(day);
  if (week < (await findLastWeek(transaction))) {
    await foldWeek(transaction, week, isNew ? undefined : setsOf(changed));
  }
}

function mondayOf(day: string): string {
  return periodOf(stepStart(Date.parse(day), "week"));
}

/** The Monday of the last observed week, which isn't folded, because each reading would have to read all of it. */
async function findLastWeek(database: Database): Promise<string> {
  const days = database.selectFrom("market_point").where("step", "=", "day");
  return mondayOf((await findBound(days, "max", "period")) ?? "1970-01-01");
}

async function foldWeek(transaction: Database, monday: string, sets?: readonly GpuSet[]): Promise<void> {
  const points = await pointsOf(transaction, "day", monday, 7);
  const rows = (sets ?? setsOf(points.keys())).flatMap((set) => {
    const inOrder = inSet(set, points).sort((a, b) => a.atMs - b.atMs);
    return rowsOf(set, "week", monday, priceSteps(inOrder, "week"));
  });
  await insertAll(transaction, "price_step", rows, KEY);
}

function setsOf(slugs: Iterable<string>): GpuSet[] {
  return [...new Map([...slugs].flatMap(setsWith).map((set) => [set.name, set])).values()];
}

/** Writes the day of all sets that have one of these slugs. */
async function foldDay(
  transaction: Database,
  points: ReadonlyMap<string, readonly MarketPoint[]>,
  slugs: readonly string[],
): Promise<void> {
  const rows = setsOf(slugs).flatMap((set) =>
    priceSteps(inSet(set, points), "day").flatMap((step) => rowsOf(set, "day", periodOf(step.atMs), [step])),
  );
  await insertAll(transaction, "price_step", rows, KEY);
}

/**
 * Folds days and weeks that no reading has folded, newest first, such as those of a former version, and removes the points of
 * hours that are folded.
 */
export async function foldPast(database: Database): Promise<void> {
  let isDone = false;
  while (!isDone) {
    isDone = await database.transaction().execute(async (transaction) => {
      // An import writes the same rows.
      await kindOf(transaction).lockForWriting(transaction, "catalog_revision");
      return foldSome(transaction);
    });
  }
}

async function foldSome(transaction: Transaction<Tables>): Promise<boolean> {
  await forgetUnfolded(transaction);
  await markFolded(transaction);
  const days = [...(await listPeriods(transaction, "market_point", "day"))];
  const folded = await listPeriods(transaction, "price_step", "day");
  const dueDays = days.filter((day) => !folded.has(day)).slice(-DAYS_AT_ONCE);
  for (const day of dueDays) {
    const points = await pointsOf(transaction, "day", day);
    await foldDay(transaction, points, [...points.keys()]);
    await foldHours(transaction, { slugs: [...points.keys()], points, day });
  }
  const [last, foldedWeeks] = [await findLastWeek(transaction), await listPeriods(transaction, "price_step", "week")];
  const weeks = [...new Set(days.map(mondayOf))].filter((week) => week < last && !foldedWeeks.has(week));
  const dueWeeks = dueDays.length > 0 ? [] : weeks.slice(-WEEKS_AT_ONCE);
  for (const week of dueWeeks) {
    await foldWeek(transaction, week);
  }
  if (dueDays.length + dueWeeks.length > 0) {
    return false;
  }
  const keptSince = periodOf(Date.parse(days.at(-1) ?? "1970-01-01") - (HOUR_POINTS_DAYS - 1) * DAY_MS);
  await transaction.deleteFrom("market_point").where("step", "=", "hour").where("period", "<", keptSince).execute();
  return true;
}

/**
 * The days or weeks that a table has, oldest first. They are compared here, because PostgreSQL would compare each with each as
 * soon as they don't fit into its memory.
 */
async function listPeriods(
  database: Database,
  table: "market_point" | "price_step",
  step: SeriesStep,
): Promise<Set<string>> {
  const rows = database.selectFrom(table).where("step", "=", step).select("period").distinct();
  return new Set((await rows.orderBy("period").execute()).map(({ period }) => period));
}

interface ReadHours {
  slugs: readonly string[];
  points: ReadonlyMap<string, readonly MarketPoint[]>;
  day: string;
  /** The hour of the reading; undefined for all of the day. */
  hour?: string | undefined;
}

/**
 * The hour of the last reading is what the day has of the providers that were read in it. If something was read later, or if
 * the hours before aren't folded, all hours of the day are folded from their points.
 */
async function foldHours(transaction: Transaction<Tables>, { slugs, points, day, hour }: ReadHours): Promise<void> {
  const providers = [...new Set([...points.values()].flatMap(([point]) => Object.keys(point?.sellers ?? {})))];
  const read = await listObservedHours(transaction, providers, { since: day, until: `${day}U` });
  const hourMs = Date.parse(`${hour}:00:00Z`);
  const now = new Set(providers.filter((name) => read.get(name)?.includes(hourMs)));
  const isLast = hour !== undefined && [...read.values()].every((hours) => (hours.at(-1) ?? 0) <= hourMs);
  const known = transaction.selectFrom("price_step").where("step", "=", "hour").where("period", "=", day);
  const folded = new Map((await known.select(["name", "folded"]).execute()).map((row) => [row.name, row.folded]));
  const sets = setsOf(slugs);
  const isKnown = isLast && sets.every(({ name }) => folded.has(name));
  const ofHours = isKnown ? undefined : await pointsOf(transaction, "hour", day);
  const rows = sets.map((set) => {
    const steps =
      ofHours === undefined
        ? inSet(set, points).map(({ sellers }) => ({
            atMs: hourMs,
            sellers: Object.fromEntries(Object.entries(sellers).filter(([name]) => now.has(name))),
          }))
        : set.slugs.flatMap((slug) => everyHour(ofHours.get(slug) ?? [], read));
    const before = decodeSteps(folded.get(set.name) ?? "[]", Date.parse(day));
    return rowsOf(set, "hour", day, withSteps(before, priceSteps(steps, "hour")));
  });
  await insertAll(transaction, "price_step", rows.flat(), KEY);
}

/** Hours with others in their place, but for those that have a provider whose points are gone. */
function withSteps(before: readonly PriceStep[], others: readonly PriceStep[]): PriceStep[] {
  const steps = new Map(before.map((step) => [step.atMs, step]));
  for (const step of others) {
    const known = steps.get(step.atMs);
    const names = new Set([...step.selling, ...step.without]);
    if (known === undefined || [...known.selling, ...known.without].every((name) => names.has(name))) {
      steps.set(step.atMs, step);
    }
  }
  return [...steps.values()].sort((a, b) => a.atMs - b.atMs);
}

function inSet({ slugs }: GpuSet, points: ReadonlyMap<string, readonly MarketPoint[]>): MarketPoint[] {
  return slugs.flatMap((slug) => points.get(slug) ?? []);
}

function rowsOf({ name }: GpuSet, step: SeriesStep, period: string, steps: PriceStep[]): Tables["price_step"][] {
  return steps.length === 0 ? [] : [{ name, step, period, folded: encodeSteps(steps, Date.parse(period)) }];
}

/**
 * A step of a row: its hours since the start of the row, its prices, and the providers that had offers and that had none, if
 * others than in the step before.
 */
type EncodedStep = [number, (number | null)[], ...string[][]];

function encodeSteps(steps: readonly PriceStep[], startMs: number): string {
  let last = "";
  const encoded = steps.map(({ atMs, selling, without, prices }): EncodedStep => {
    const { min, p10, median, p90, offers, providers, regions, availability } = prices;
    const sellers: [string[], string[]] = [selling.toSorted(), without.toSorted()];
    const values = [min, p10, median, p90, offers, providers, regions, ...(availability === undefined ? [] : [1])];
    const isSame = JSON.stringify(sellers) === last;
    last = JSON.stringify(sellers);
    return [(atMs - startMs) / HOUR_MS, values, ...(isSame ? [] : sellers)];
  });
  return JSON.stringify(encoded);
}

function decodeSteps(text: string, startMs: number): PriceStep[] {
  let [selling, without]: string[][] = [[], []];
  return (JSON.parse(text) as EncodedStep[]).map(([hours, values, ...sellers]) => {
    [selling = [], without = []] = sellers.length === 0 ? [selling, without] : sellers;
    const [min = null, p10 = null, median = null, p90 = null, offers, providers, regions, unknown] = values;
    const counts = { offers: offers ?? 0, providers: providers ?? 0, regions: regions ?? 0 };
    const prices = { min, p10, median, p90, ...counts, ...(unknown === 1 && { availability: "unknown" as const }) };
    return { atMs: startMs + hours * HOUR_MS, selling, without, prices };
  });
}

/** The hours, days or weeks of some GPUs that are folded, by their day or week in milliseconds since 1970. */
export async function listFoldedSteps(
  database: Database,
  slugs: readonly string[],
  { step, sinceMs, untilMs }: SeriesRange,
): Promise<Map<number, PriceStep[]>> {
  const day = (await findUnfolded(database))?.slice(0, 10);
  const before = day === undefined ? "U" : step === "week" ? mondayOf(day) : day;
  const rows = await database
    .selectFrom("price_step")
    .where("name", "=", setOf(slugs).name)
    .where("step", "=", step)
    .where("period", ">=", periodOf(sinceMs))
    .where("period", "<=", periodOf(untilMs))
    .where("period", "<", before)
    .orderBy("period")
    .select(["period", "folded"])
    .execute();
  return new Map(
    rows.map(({ period, folded }) => [Date.parse(period), decodeSteps(folded, Date.parse(period))] as const),
  );
}
