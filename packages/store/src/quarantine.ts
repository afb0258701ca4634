import {
  CatalogDifference,
  type GatedOffer,
  OFFERS_FOR_RANGE,
  type GateKind,
  type GateTrip,
  type PriceRanges,
} from "@gpu-offers/sources";
import { sql, type Transaction } from "kysely";
import type { Database } from "./database.js";
import type { Tables } from "./tables.js";

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

/** A changed offer in a report. */
export interface ChangedOffer {
  id: string;
  gpu: string;
  /** USD per hour; null if there is no such offer. */
  before: number | null;
  after: number | null;
}

/** An implausible change of a provider, which needs an operator's approval. */
export interface ProviderQuarantine {
  provider: string;
  gates: GateTrip[];
  offers_before: number;
  offers_after: number;
  added: number;
  removed: number;
  repriced: number;
  /** The largest changes: prices first, by factor, then removed and added offers. */
  examples: ChangedOffer[];
}

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
      const quarantine = await findQuarantine(transaction, provider, { ...rule, isComparable }, ranges);
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

/** Lowest and highest price per GPU in the current catalog. */
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

async function findQuarantine(
  transaction: Transaction<Tables>,
  provider: string,
  rule: GateRule & { isComparable: boolean },
  ranges: PriceRanges,
): Promise<ProviderQuarantine | undefined> {
  const comparison = new Comparison(ranges, rule.isComparable);
  for await (const offer of streamStaged(transaction, provider)) {
    comparison.addStaged(offer);
  }
  for await (const offer of streamRemoved(transaction, provider)) {
    comparison.addRemoved(offer);
  }
  const gates = comparison.difference.trips(rule.kind, rule);
  return gates.length === 0
    ? undefined
    : { provider, gates, ...comparison.counts, examples: comparison.listExamples() };
}

/** A staged offer, with what the catalog has of it. */
interface StagedOffer extends GatedOffer {
  id: string;
  gpuBefore: string | null;
  priceBefore: number | null;
}

function streamStaged(transaction: Transaction<Tables>, provider: string): AsyncIterable<StagedOffer> {
  return transaction
    .selectFrom("staged_offer")
    .leftJoin("offer", "offer.id", "staged_offer.id")
    .where("staged_offer.provider", "=", provider)
    .select([
      "staged_offer.id",
      "staged_offer.gpu_slug as gpuSlug",
      "staged_offer.price_hourly as priceHourly",
      "staged_offer.price_per_gpu as pricePerGpu",
      "offer.gpu_slug as gpuBefore",
      "offer.price_hourly as priceBefore",
    ])
    .stream();
}

/** An offer of the catalog that is not staged. */
type RemovedOffer = Pick<StagedOffer, "id" | "gpuSlug" | "priceHourly">;

function streamRemoved(transaction: Transaction<Tables>, provider: string): AsyncIterable<RemovedOffer> {
  return transaction
    .selectFrom("offer")
    .where("provider", "=", provider)
    .where("id", "not in", (select) => select.selectFrom("staged_offer").select("id"))
    .select(["id", "gpu_slug as gpuSlug", "price_hourly as priceHourly"])
    .orderBy(sql`id`)
    .stream();
}

/** Compares the staged offers of a provider with its current ones. */
class Comparison {
  readonly difference: CatalogDifference;
  readonly counts = { offers_before: 0, offers_after: 0, added: 0, removed: 0, repriced: 0 };
  /** Those whose prices change by the largest factors. */
  #repriced: ChangedOffer[] = [];
  readonly #removed: ChangedOffer[] = [];

  constructor(
    ranges: PriceRanges,
    private readonly isComparable: boolean,
  ) {
    this.difference = new CatalogDifference(ranges);
  }

  addStaged({ gpuBefore, priceBefore, ...offer }: StagedOffer): void {
    this.counts.offers_after++;
    if (gpuBefore === null || priceBefore === null) {
      this.counts.added++;
      this.difference.addAdded(offer);
      return;
    }
    this.counts.offers_before++;
    if (this.isComparable) {
      this.difference.addKept({ gpuSlug: gpuBefore, priceHourly: priceBefore }, offer);
    } else {
      this.difference.addAdded(offer);
    }
    if (priceBefore !== offer.priceHourly) {
      this.counts.repriced++;
      const change = { id: offer.id, gpu: offer.gpuSlug, before: priceBefore, after: offer.priceHourly };
      this.#repriced = [...this.#repriced, change].sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, EXAMPLES_EACH);
    }
  }

  addRemoved({ id, gpuSlug, priceHourly }: RemovedOffer): void {
    this.counts.offers_before++;
    this.counts.removed++;
    if (this.isComparable) {
      this.difference.addRemoved({ gpuSlug });
    }
    if (this.#removed.length < EXAMPLES_EACH) {
      this.#removed.push({ id, gpu: gpuSlug, before: priceHourly, after: null });
    }
  }

  listExamples(): ChangedOffer[] {
    return [...this.#repriced, ...this.#removed];
  }
}

/** How much the price of an offer changes: the same for a factor and its inverse. */
function sizeOf({ before, after }: ChangedOffer): number {
  return Math.abs(Math.log((after ?? 1) / (before ?? 1)));
}
