import {
  CatalogDifference,
  OFFERS_FOR_RANGE,
  type GateKind,
  type GateTrip,
  type PriceRanges,
} from "@gpu-offers/sources";
import { sql, type Transaction } from "kysely";
import type { Tables } from "./tables.js";

// Compares the staged offers of a provider with the current ones, and checks with the gates of @gpu-offers/sources
// whether the change is plausible.

/** Gate rules for a provider's changes. */
export interface GateRule {
  kind: GateKind;
  /** Whether an empty list of offers is plausible. */
  mayBeEmpty?: boolean;
  /** False if the current offers come from elsewhere, such as the starter catalog, and so can't be compared. */
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

/** The providers with implausible changes. Reads `staged_offer`; changes nothing. */
export async function findQuarantines(
  transaction: Transaction<Tables>,
  providers: readonly string[],
  ruleOf: (provider: string) => GateRule | undefined,
): Promise<ProviderQuarantine[]> {
  const quarantines: ProviderQuarantine[] = [];
  let ranges: PriceRanges | undefined;
  for (const provider of providers) {
    const rule = ruleOf(provider);
    if (rule !== undefined) {
      ranges ??= await readPriceRanges(transaction);
      const quarantine = await judge(transaction, provider, rule, ranges);
      quarantines.push(...(quarantine === undefined ? [] : [quarantine]));
    }
  }
  return quarantines;
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

async function judge(
  transaction: Transaction<Tables>,
  provider: string,
  rule: GateRule,
  ranges: PriceRanges,
): Promise<ProviderQuarantine | undefined> {
  const difference = new CatalogDifference(ranges);
  const isComparable = rule.isComparable ?? true;
  const counts = { offers_before: 0, offers_after: 0, added: 0, removed: 0, repriced: 0 };
  const repriced = new Examples();
  const others: ChangedOffer[] = [];
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
      "offer.price_hourly as priceBefore",
    ])
    .stream();
  for await (const { gpuBefore, priceBefore, ...offer } of staged) {
    counts.offers_after++;
    if (gpuBefore === null || priceBefore === null) {
      counts.added++;
      difference.addAdded(offer);
      continue;
    }
    counts.offers_before++;
    if (isComparable) {
      difference.addKept({ gpuSlug: gpuBefore, priceHourly: priceBefore }, offer);
    } else {
      difference.addAdded(offer);
    }
    if (priceBefore !== offer.priceHourly) {
      counts.repriced++;
      repriced.add({ id: offer.id, gpu: offer.gpuSlug, before: priceBefore, after: offer.priceHourly });
    }
  }
  const removed = transaction
    .selectFrom("offer")
    .where("provider", "=", provider)
    .where("id", "not in", (select) => select.selectFrom("staged_offer").select("id"))
    .select(["id", "gpu_slug as gpuSlug", "price_hourly as priceHourly"])
    .orderBy(sql`id`)
    .stream();
  for await (const { id, gpuSlug, priceHourly } of removed) {
    counts.offers_before++;
    counts.removed++;
    if (isComparable) {
      difference.addRemoved({ gpuSlug });
    }
    if (others.length < EXAMPLES_EACH) {
      others.push({ id, gpu: gpuSlug, before: priceHourly, after: null });
    }
  }
  const gates = difference.trips(rule.kind, rule);
  return gates.length === 0 ? undefined : { provider, gates, ...counts, examples: [...repriced.list(), ...others] };
}

/** The offers whose prices change by the largest factors. */
class Examples {
  readonly #kept: { change: ChangedOffer; size: number }[] = [];

  add(change: ChangedOffer): void {
    const size = Math.abs(Math.log((change.after ?? 1) / (change.before ?? 1)));
    if (this.#kept.length < EXAMPLES_EACH || size > (this.#kept.at(-1)?.size ?? 0)) {
      this.#kept.push({ change, size });
      this.#kept.sort((a, b) => b.size - a.size);
      this.#kept.length = Math.min(this.#kept.length, EXAMPLES_EACH);
    }
  }

  list(): ChangedOffer[] {
    return this.#kept.map(({ change }) => change);
  }
}
