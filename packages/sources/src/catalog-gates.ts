import type { Offer } from "@gpu-offers/domain";

// Checks that a provider's new catalog is plausible compared with its current one. A source that changes its unit, loses
// its pages or sends an error page as JSON would otherwise replace good offers. A catalog that trips a gate is quarantined
// as a whole: dropping only suspicious offers would publish half a catalog as if it were complete.

/** The fields of an offer that the gates use. */
export interface GatedOffer extends Pick<Offer, "id" | "priceHourly" | "pricePerGpu"> {
  /** Slug of its GPU. */
  gpuSlug: string;
}

/** Converts an offer to those fields. */
export function gatedOffer({ id, gpu, priceHourly, pricePerGpu }: Offer): GatedOffer {
  return { id, gpuSlug: gpu.slug, priceHourly, pricePerGpu };
}

/** A provider's own list rarely changes; what is free on a marketplace changes by the minute. */
export type GateKind = "list" | "marketplace";

/** Limits of one kind of source. Shares are from 0 to 1; only a larger share exceeds a limit, not an equal one. */
interface GateLimits {
  /** Offers that may vanish: a share, and a number that may always vanish. */
  lostOffers: { share: number; count: number };
  /** GPU models with no offers left. */
  lostGpus: { share: number; count: number };
  /** Offers in both catalogs whose price changes by more than the factor, up or down. */
  movedPrices: readonly { factor: number; share: number }[];
  /** Maximum factor, up or down, between the median prices of the offers in both catalogs. */
  medianFactor: number;
  /** Share of the offers whose price per GPU is outside the plausible range. */
  outsideRange: number;
}

/** The limits. docs/sources.md explains them. */
const GATE_LIMITS: Readonly<Record<GateKind, GateLimits>> = {
  list: {
    lostOffers: { share: 0.3, count: 3 },
    lostGpus: { share: 0.3, count: 1 },
    movedPrices: [
      { factor: 3, share: 0.05 },
      { factor: 10, share: 0 },
    ],
    medianFactor: 3,
    outsideRange: 0.05,
  },
  marketplace: {
    lostOffers: { share: 0.7, count: 20 },
    lostGpus: { share: 0.6, count: 3 },
    movedPrices: [{ factor: 10, share: 0.1 }],
    medianFactor: 2,
    outsideRange: 0.1,
  },
};

/** USD per GPU and hour: no real price is lower or higher. */
const PLAUSIBLE_PRICE_PER_GPU = { min: 0.01, max: 50 } as const;

/** Maximum factor by which a price may be outside the known prices of a GPU model. */
const RANGE_MARGIN = 8;

/** Fewer offers of a GPU model don't give a reliable price range. */
export const OFFERS_FOR_RANGE = 5;

/** Share of the common offers that must change by the same factor to count it as the common factor. */
const UNIFORM_SHARE = 0.9;

/** Two factors are equal if they differ by less than this share; prices are rounded. */
const FACTOR_TOLERANCE = 0.02;

/** Factors that result from a wrong unit, and the likely unit. */
const UNIT_FACTORS: readonly { factor: number; guess: string }[] = [
  { factor: 10, guess: "a shifted decimal point" },
  { factor: 24, guess: "a price per day" },
  { factor: 60, guess: "a price per minute or hour" },
  { factor: 100, guess: "cents" },
  { factor: 720, guess: "a price per month" },
  { factor: 730, guess: "a price per month" },
  { factor: 1_000, guess: "thousandths" },
  { factor: 3_600, guess: "a price per second" },
];

/** The rule that a catalog broke. `offers` and `gpus` only compare counts. */
export type Gate = "empty" | "offers" | "gpus" | "prices" | "price_range" | "rejected_rows";

/** A broken rule, with one sentence for the operator. */
export interface GateTrip {
  /** The rule that was broken. */
  gate: Gate;
  /** What is implausible, in a sentence. */
  message: string;
}

/** Lowest and highest price per GPU, by GPU slug. */
export type PriceRanges = ReadonlyMap<
  string,
  {
    /** Lowest price per GPU in USD per hour. */
    min: number;
    /** Highest price per GPU in USD per hour. */
    max: number;
  }
>;

/** The price ranges of GPU models with enough offers. */
export function priceRanges(offers: readonly Pick<GatedOffer, "gpuSlug" | "pricePerGpu">[]): PriceRanges {
  const bySlug = [...Map.groupBy(offers, ({ gpuSlug }) => gpuSlug)];
  const priced = bySlug.filter(([, { length }]) => length >= OFFERS_FOR_RANGE);
  return new Map(
    priced.map(([slug, some]) => {
      const prices = some.map(({ pricePerGpu }) => pricePerGpu).sort((a, b) => a - b);
      return [slug, { min: prices[0] ?? 0, max: prices.at(-1) ?? 0 }];
    }),
  );
}

/** Collects the difference between two catalogs, offer by offer in any order, and checks it. */
export class CatalogDifference {
  #before = 0;
  #after = 0;
  #removed = 0;
  readonly #gpusBefore = new Set<string>();
  readonly #gpusAfter = new Set<string>();
  /** New price divided by old price, for the offers in both catalogs. */
  readonly #ratios: number[] = [];
  #outside = 0;
  #firstOutside: GatedOffer | undefined;

  constructor(
    /** Prices of the current catalog, of all providers. */
    private readonly ranges: PriceRanges = new Map(),
  ) {}

  /** An offer that only the old catalog has. */
  addRemoved(offer: Pick<GatedOffer, "gpuSlug">): void {
    this.#before++;
    this.#removed++;
    this.#gpusBefore.add(offer.gpuSlug);
  }

  /** An offer that both catalogs have. */
  addKept(before: Pick<GatedOffer, "gpuSlug" | "priceHourly">, after: GatedOffer): void {
    this.#before++;
    this.#gpusBefore.add(before.gpuSlug);
    this.#ratios.push(after.priceHourly / before.priceHourly);
    // A price that is already served was accepted, however unusual.
    this.addAdded(after, after.priceHourly !== before.priceHourly);
  }

  /**
   * An offer that only the new catalog has.
   * @param isNewPrice Whether its price is new; false for one that both have.
   */
  addAdded(offer: GatedOffer, isNewPrice = true): void {
    this.#after++;
    this.#gpusAfter.add(offer.gpuSlug);
    if (isNewPrice && isOutside(offer, this.ranges)) {
      this.#outside++;
      this.#firstOutside ??= offer;
    }
  }

  /** The rules that the new catalog breaks; empty if it is plausible. */
  trips(kind: GateKind, { mayBeEmpty = false }: { mayBeEmpty?: boolean } = {}): GateTrip[] {
    const limits = GATE_LIMITS[kind];
    if (this.#after === 0) {
      return mayBeEmpty ? [] : [{ gate: "empty", message: "It has no offers at all." }];
    }
    const found: readonly (readonly [Gate, string | undefined])[] = [
      ["offers", mayBeEmpty ? undefined : this.#lostOffers(limits)],
      ["gpus", mayBeEmpty ? undefined : this.#lostGpus(limits)],
      ["prices", this.#movedPrices(limits)],
      ["price_range", this.#outsideRange(limits)],
    ];
    return found.flatMap(([gate, message]) => (message === undefined ? [] : [{ gate, message }]));
  }

  #lostOffers({ lostOffers: { share, count } }: GateLimits): string | undefined {
    const isTripped = exceeds(this.#removed, this.#before, share) && this.#removed > count;
    const message = `${this.#removed} of ${this.#before} offers would be removed; the limit is ${percent(share)}.`;
    return isTripped ? message : undefined;
  }

  #lostGpus({ lostGpus: { share, count } }: GateLimits): string | undefined {
    const lost = [...this.#gpusBefore].filter((slug) => !this.#gpusAfter.has(slug)).sort();
    const isTripped = exceeds(lost.length, this.#gpusBefore.size, share) && lost.length > count;
    const named = `${lost.slice(0, 5).join(", ")}${lost.length > 5 ? " ..." : ""}`;
    const message = `${lost.length} of ${this.#gpusBefore.size} GPU models would vanish (${named}); the limit is ${percent(share)}.`;
    return isTripped ? message : undefined;
  }

  #movedPrices({ movedPrices, medianFactor }: GateLimits): string | undefined {
    const ratios = this.#ratios;
    const broken = movedPrices
      .map((limit) => ({ ...limit, count: ratios.filter((ratio) => movesBy(ratio, limit.factor)).length }))
      .find(({ count, share }) => exceeds(count, ratios.length, share));
    const median = medianOf(ratios) ?? 1;
    if (broken === undefined && !movesBy(median, medianFactor)) {
      return undefined;
    }
    const uniform = uniformFactor(ratios);
    if (uniform !== undefined) {
      return uniformMessage(uniform);
    }
    return broken === undefined
      ? `The median price would move by x${factorText(median)}; the limit is x${medianFactor} up or down.`
      : `${broken.count} of ${ratios.length} prices would move by more than x${broken.factor} up or down; the limit is ${broken.share === 0 ? "none" : percent(broken.share)}.`;
  }

  #outsideRange({ outsideRange: share }: GateLimits): string | undefined {
    const first = this.#firstOutside;
    if (first === undefined || !exceeds(this.#outside, this.#after, share)) {
      return undefined;
    }
    const example = `such as $${first.pricePerGpu}/h for one ${first.gpuSlug}`;
    return `${this.#outside} of ${this.#after} offers have an implausible price (${example}); the limit is ${percent(share)}.`;
  }
}

/** Checks a whole new catalog against the old one; {@link CatalogDifference} does the same incrementally. */
export function findGateTrips(
  before: readonly GatedOffer[],
  after: readonly GatedOffer[],
  kind: GateKind,
  options: { mayBeEmpty?: boolean; ranges?: PriceRanges } = {},
): GateTrip[] {
  const difference = new CatalogDifference(options.ranges);
  const old = new Map(before.map((offer) => [offer.id, offer]));
  for (const offer of after) {
    const known = old.get(offer.id);
    if (known === undefined) {
      difference.addAdded(offer);
    } else {
      old.delete(offer.id);
      difference.addKept(known, offer);
    }
  }
  for (const offer of old.values()) {
    difference.addRemoved(offer);
  }
  return difference.trips(kind, options);
}

/** The factor by which nearly all prices changed; undefined if there is none, or if prices did not change. */
export function uniformFactor(ratios: readonly number[]): number | undefined {
  const median = medianOf(ratios);
  if (median === undefined || isSameFactor(median, 1)) {
    return undefined;
  }
  const alike = ratios.filter((ratio) => isSameFactor(ratio, median)).length;
  return alike >= ratios.length * UNIFORM_SHARE ? median : undefined;
}

function uniformMessage(factor: number): string {
  const size = Math.max(factor, 1 / factor);
  const [unit] = UNIT_FACTORS.filter((known) => isSameFactor(size, known.factor)).sort(
    (a, b) => Math.abs(size - a.factor) - Math.abs(size - b.factor),
  );
  const { factor: shown, guess } = unit ?? { factor: factorText(size), guess: "another unit or currency" };
  return `Nearly all prices changed by ${factor > 1 ? "x" : "/"}${shown}, so the unit may be wrong (${guess}?).`;
}

function isOutside({ gpuSlug, pricePerGpu }: GatedOffer, ranges: PriceRanges): boolean {
  if (pricePerGpu < PLAUSIBLE_PRICE_PER_GPU.min || pricePerGpu > PLAUSIBLE_PRICE_PER_GPU.max) {
    return true;
  }
  const range = ranges.get(gpuSlug);
  return range !== undefined && (pricePerGpu < range.min / RANGE_MARGIN || pricePerGpu > range.max * RANGE_MARGIN);
}

function exceeds(part: number, whole: number, share: number): boolean {
  return part > whole * share;
}

/** Whether a ratio exceeds a factor, up or down. Prices exactly at the limit pass, despite rounding. */
function movesBy(ratio: number, factor: number): boolean {
  const limit = factor * (1 + 1e-9);
  return ratio > limit || ratio < 1 / limit;
}

function isSameFactor(ratio: number, factor: number): boolean {
  return Math.abs(ratio / factor - 1) < FACTOR_TOLERANCE;
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[middle - 1];
  return sorted.length % 2 === 1 || upper === undefined || lower === undefined ? upper : (lower + upper) / 2;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

function factorText(factor: number): string {
  return String(Number(factor.toPrecision(3)));
}
