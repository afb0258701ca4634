import { CatalogDifference, OFFERS_FOR_RANGE, type GateKind, type PriceRanges } from "@gpu-offers/sources";
import { sql, type Transaction } from "kysely";
import { type Database, insertAll, isMissingIn } from "./database.js";
import { mayBeSomewhere } from "./offer-row.js";
import type { Tables } from "./tables.js";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";

// Compares the staged offers of a provider with the current ones, and checks with the gates of @gpu-offers/sources
// whether the change is plausible.

/** Gate rules for a provider's changes. */
export interface GateRule {
  kind: GateKind;
  /** Whether an empty list of offers is plausible. */
  mayBeEmpty?: boolean;
  /** False if the current offers come from elsewhere, such as an import, and so can't be compared. */
  isComparable?: boolean;
}

/** An implausible change of a provider, which needs an operator's approval. */
export const quarantineSchema = z.strictObject({
  provider: z.string(),
  gates: z.array(z.strictObject({ gate: z.string(), message: z.string() })),
  offers_before: z.int(),
  offers_after: z.int(),
  added: z.int(),
  removed: z.int(),
  repriced: z.int(),
  // The largest changes: prices first, by factor, then removed and added offers.
  examples: z.array(
    z.strictObject({
      id: z.string(),
      gpu: z.string(),
      before: z.number().nullable().describe("USD per hour now; null if the offer is new"),
      after: z.number().nullable().describe("USD per hour in the new catalog; null if the offer is gone"),
    }),
  ),
});
export type ProviderQuarantine = z.output<typeof quarantineSchema>;
type ChangedOffer = ProviderQuarantine["examples"][number];

const EXAMPLES_EACH = 5;

/**
 * The providers with implausible changes. Offers of the starter catalog, which is a sample, are never compared. Reads
 * `staged_offer`; changes nothing.
 */
export async function findQuarantines(
  transaction: Transaction<Tables>,
  providers: readonly string[],
  ruleOf: (provider: string) => GateRule | undefined,
): Promise<ProviderQuarantine[]> {
  const quarantines: ProviderQuarantine[] = [];
  const samples = await listSamples(transaction);
  let ranges: PriceRanges | undefined;
  for (const provider of providers) {
    const rule = ruleOf(provider);
    if (rule !== undefined) {
      ranges ??= await readPriceRanges(transaction);
      const isComparable = (rule.isComparable ?? true) && !samples.has(provider);
      const quarantine = await compare(transaction, provider, { ...rule, isComparable }, ranges);
      quarantines.push(...(quarantine === undefined ? [] : [quarantine]));
    }
  }
  return quarantines;
}

/** The providers whose offers are a sample. */
export async function listSamples(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.selectFrom("provider").where("is_sample", "=", 1).select("name").execute();
  return new Set(rows.map(({ name }) => name));
}

async function readPriceRanges(database: Transaction<Tables>): Promise<PriceRanges> {
  const rows = await database
    .selectFrom("offer")
    .select((select) => [
      "gpu_slug",
      select.fn.min<number>("price_per_gpu").as("min"),
      select.fn.max<number>("price_per_gpu").as("max"),
    ])
    .groupBy("gpu_slug")
    .having((select) => select.fn.countAll(), ">=", OFFERS_FOR_RANGE)
    .execute();
  return new Map(rows.map(({ gpu_slug, min, max }) => [gpu_slug, { min, max }]));
}

async function compare(
  transaction: Transaction<Tables>,
  provider: string,
  rule: GateRule & { isComparable: boolean },
  ranges: PriceRanges,
): Promise<ProviderQuarantine | undefined> {
  const difference = new CatalogDifference(ranges);
  const counts = { offers_before: 0, offers_after: 0, added: 0, removed: 0, repriced: 0 };
  /** Those whose prices change by the largest factors. */
  let repriced: ChangedOffer[] = [];
  const removed: ChangedOffer[] = [];
  const staged = transaction
    .selectFrom("staged_offer")
    .leftJoin("offer", "offer.id", "staged_offer.id")
    .where("staged_offer.provider", "=", provider)
    .select([
      "staged_offer.id",
      "staged_offer.gpu_slug as gpuSlug",
      "staged_offer.price_hourly as priceHourly",
      "staged_offer.price_per_gpu as pricePerGpu",
      "offer.gpu_slug as gpuBefore",
      "offer.price_hourly as before",
    ]);
  for await (const { gpuBefore, before, ...offer } of staged.stream()) {
    const { id, gpuSlug: gpu, priceHourly: after } = offer;
    const isKnown = gpuBefore !== null && before !== null;
    counts.offers_after++;
    counts[isKnown ? "offers_before" : "added"]++;
    if (isKnown && rule.isComparable) {
      difference.addKept({ gpuSlug: gpuBefore, priceHourly: before }, offer);
    } else {
      difference.addAdded(offer);
    }
    if (isKnown && before !== after) {
      counts.repriced++;
      repriced = [...repriced, { id, gpu, before, after }]
        .sort((a, b) => sizeOf(b) - sizeOf(a))
        .slice(0, EXAMPLES_EACH);
    }
  }
  for await (const { id, gpuSlug, before } of vanishedOffers(transaction, provider).stream()) {
    counts.offers_before++;
    counts.removed++;
    if (rule.isComparable) {
      difference.addRemoved({ gpuSlug });
    }
    if (removed.length < EXAMPLES_EACH) {
      removed.push({ id, gpu: gpuSlug, before, after: null });
    }
  }
  const gates = difference.trips(rule.kind, rule);
  return gates.length === 0 ? undefined : { provider, gates, ...counts, examples: [...repriced, ...removed] };
}

/** Those that a reading lacks, apart from sizes that it says no place has, which sold out, and from such rows themselves. */
function vanishedOffers(transaction: Transaction<Tables>, provider: string) {
  const isSomewhere = mayBeSomewhere(transaction);
  return transaction
    .selectFrom("offer")
    .where("provider", "=", provider)
    .where(isMissingIn("staged_offer", "offer.id"))
    .where(isSomewhere)
    .where(sql<boolean>`(provider, gpu_slug, gpu_count) not in (
      select provider, gpu_slug, gpu_count from staged_offer where not (${isSomewhere}))`)
    .select(["id", "gpu_slug as gpuSlug", "price_hourly as before"])
    .orderBy("id");
}

/** How much the price of an offer changes: the same for a factor and its inverse. */
function sizeOf({ before, after }: ChangedOffer): number {
  return Math.abs(Math.log((after ?? 1) / (before ?? 1)));
}

/** A run that was quarantined. */
export interface StoredQuarantine extends Omit<Tables["live_quarantine"], "source" | "content" | "report"> {
  report: ProviderQuarantine[];
}

/** Share by which the number of offers may differ in nearly equal quarantined content. */
const SAME_CONTENT_SHARE = 0.05;

/** Stores a quarantined run, replacing the previous one. Returns the number of consecutive runs with nearly equal content. */
export async function keepQuarantine(
  database: Database,
  run: { source: string; at: string; offers: number; report: ProviderQuarantine[]; content: string },
): Promise<number> {
  const { source, at, offers } = run;
  const known = await findQuarantine(database, source);
  const isSame = known !== undefined && Math.abs(known.offers - offers) <= known.offers * SAME_CONTENT_SHARE;
  const columns = {
    first_at: isSame ? known.first_at : at,
    last_at: at,
    runs: isSame ? known.runs + 1 : 1,
    offers,
    report: JSON.stringify(run.report),
    content: gzipSync(run.content),
  };
  await insertAll(database, "live_quarantine", [{ source, ...columns }], ["source"]);
  return columns.runs;
}

/** The quarantined run of a source without its content; undefined if there is none. */
export async function findQuarantine(database: Database, source: string): Promise<StoredQuarantine | undefined> {
  const runs = database.selectFrom("live_quarantine").where("source", "=", source);
  const row = await runs.select(["first_at", "last_at", "runs", "offers", "report"]).executeTakeFirst();
  return row && { ...row, report: JSON.parse(row.report) as ProviderQuarantine[] };
}

/** Sources with a quarantined run. */
export async function listQuarantined(database: Database): Promise<Set<string>> {
  const rows = await database.selectFrom("live_quarantine").select("source").execute();
  return new Set(rows.map(({ source }) => source));
}

export async function readQuarantinedContent(database: Database, source: string): Promise<string | undefined> {
  const runs = database.selectFrom("live_quarantine").where("source", "=", source);
  const row = await runs.select("content").executeTakeFirst();
  return row && gunzipSync(row.content).toString("utf8");
}
