import { memoized } from "../memoized.js";
import type { Market, PriceRange } from "./gpu-entry-schema.js";
import { availabilityOf, type StatedAvailability } from "../offer/availability.js";
import type { Listing, ListingFacts } from "../offer/listing-schema.js";
import { pricePerGpu } from "../offer/offer.js";

// The market of a GPU: what the listings of one slug, or of several, offer and cost now. It is put together from parts, one
// for each provider and slug, so that a service builds them once for a catalog.

/** A listing as far as its part needs it. */
export type PartListing = Pick<Listing, "spot" | "verified" | "isStale"> & {
  /** Whether its price is known as a whole; the offer says it where this is null or undefined. */
  isCostComplete?: ListingFacts["isCostComplete"] | undefined;
  /** Whether it can be had; null or undefined if its source says nothing about it. */
  availability?: ListingFacts["availability"] | undefined;
  /** Whether it is of the sample. */
  sample?: boolean | undefined;
  /** The offer: prices in USD per hour. */
  offer: Pick<
    Listing["offer"],
    | "id"
    | "gpu"
    | "gpuCount"
    | "region"
    | "priceHourly"
    | "pricePerGpu"
    | "isAvailable"
    | "costDataComplete"
    | "provider"
  >;
};

/** A listing as far as the market needs it. */
export type MarketListing = PartListing & Pick<Listing, "pricesAsOf" | "stock">;

/** The market of one slug at one provider. It has no methods, so threads can transfer it. */
export interface MarketPart {
  /** Model of each GPU. */
  gpu: Listing["offer"]["gpu"];
  /** Name of the provider. */
  provider: string;
  /** Number of listings. */
  offers: number;
  /** Prices per GPU of the rentable ones, lowest first. */
  prices: Float64Array<ArrayBuffer>;
  /** Number of them by what availability rests on. */
  basis: Readonly<Market["basis"]>;
  /** Whether they are of the sample, as all of its provider are. */
  sample: boolean;
  /** Their distinct regions, sorted. */
  regions: readonly string[];
  /** The cheapest rentable listing, and whether its cost is incomplete; null if there is none. */
  cheapest: Cheapest | null;
  /** Lowest spot price per GPU in USD per hour; null if there is none. */
  spotMin: number | null;
}

/** The cheapest of some listings. */
interface Cheapest extends Pick<Listing["offer"], "id" | "pricePerGpu" | "priceHourly"> {
  /** Whether its cost is incomplete. */
  isAtLeast: boolean;
}

/** The age of a provider's prices, and what its availability rests on: see `GET /api/v2/sources`. */
export interface ProviderAge {
  /** Time or date of the prices; null if unknown. */
  pricesAsOf: string | null;
  /** Basis of isAvailable: `live`, `listed` or `unknown`. */
  stock: string;
}

/**
 * Whether one may rent a listing: it isn't known to be sold out, is fresh, and its host isn't stated to be unverified. And
 * what that rests on, and whether it is of the sample.
 */
export function marketStand(listing: StatedAvailability & Pick<Listing, "isStale" | "verified">): {
  mayRent: boolean;
  basis: keyof Market["basis"];
  sample: boolean;
} {
  const word = availabilityOf(listing);
  return {
    mayRent: word !== "sold_out" && !listing.isStale && listing.verified !== false,
    basis: word === "in_stock" ? "live" : word === "listed" ? word : "unknown",
    sample: listing.sample === true,
  };
}

/** A part to which listings are added. */
interface OpenPart extends Omit<MarketPart, "prices" | "regions"> {
  prices: number[];
  basis: Market["basis"];
  regions: Set<string>;
}

/** Collects listings into parts. */
export class MarketParts {
  /** By slug, then by provider: this runs for every offer, and a joined key would be a new text for each. */
  readonly #parts = new Map<string, Map<string, OpenPart>>();

  /** Adds a listing. */
  add(listing: PartListing): void {
    const { offer, spot, isCostComplete } = listing;
    const { gpu, provider, id, priceHourly, pricePerGpu: price } = offer;
    const ofGpu = memoized(this.#parts, gpu.slug, () => new Map<string, OpenPart>());
    const part = memoized(ofGpu, provider.name, () => emptyPart(gpu, provider.name));
    part.offers += 1;
    const { mayRent, basis, sample } = marketStand(listing);
    if (!mayRent) {
      return;
    }
    part.prices.push(price);
    part.basis[basis] += 1;
    part.sample ||= sample;
    part.regions.add(offer.region);
    // Most offers are not the cheapest so far.
    if (part.cheapest === null || price <= part.cheapest.pricePerGpu) {
      const isAtLeast = !(isCostComplete ?? offer.costDataComplete);
      const priced = { id, pricePerGpu: price, priceHourly, isAtLeast };
      part.cheapest = part.cheapest === null || isCheaper(priced, part.cheapest) ? priced : part.cheapest;
    }
    // A bid isn't a price.
    if (spot?.kind === "price") {
      part.spotMin = Math.min(part.spotMin ?? Number.POSITIVE_INFINITY, pricePerGpu(spot.priceHourly, offer.gpuCount));
    }
  }

  /** The parts, in order of slug and provider. */
  build(): MarketPart[] {
    return sortedByKey(this.#parts).flatMap((ofGpu) => sortedByKey(ofGpu).map(builtPart));
  }
}

function sortedByKey<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}

function emptyPart(gpu: MarketPart["gpu"], provider: string): OpenPart {
  const basis = { live: 0, listed: 0, unknown: 0 };
  const counts = { offers: 0, prices: [], basis, sample: false, regions: new Set<string>() };
  return { gpu, provider, ...counts, cheapest: null, spotMin: null };
}

function builtPart(part: OpenPart): MarketPart {
  // Sorts numbers without calling a function for each pair.
  return { ...part, prices: Float64Array.from(part.prices).sort(), regions: [...part.regions].sort() };
}

/** The order of lists: price per GPU, price of the instance, id. */
function isCheaper(a: Cheapest, b: Cheapest): boolean {
  return (a.pricePerGpu - b.pricePerGpu || a.priceHourly - b.priceHourly || (a.id < b.id ? -1 : 1)) < 0;
}

/** The market of several parts: of one slug, of a family, or of everything. The sample counts only where nothing is sold. */
export function mergeMarket(
  parts: readonly MarketPart[],
  ageOf: (provider: string) => ProviderAge | undefined,
): Market {
  const priced = parts.filter(({ prices }) => prices.length > 0);
  const sold = priced.filter(({ sample }) => !sample);
  const rentable = sold.length === 0 ? priced : sold;
  const prices = joinedPrices(rentable.map((part) => part.prices));
  const cheapest = rentable
    .flatMap((part) => part.cheapest ?? [])
    .reduce<Cheapest | null>((best, row) => (best === null || isCheaper(row, best) ? row : best), null);
  const providers = new Set(rentable.map(({ provider }) => provider));
  const spots = rentable.flatMap(({ spotMin }) => spotMin ?? []);
  const countBy = (basis: keyof Market["basis"]) => rentable.reduce((sum, part) => sum + part.basis[basis], 0);
  return {
    offers: parts.reduce((sum, { offers }) => sum + offers, 0),
    rentable: prices.length,
    providers: providers.size,
    regions: countRegions(rentable),
    pricePerGpu: priceRange(prices),
    isAtLeast: cheapest?.isAtLeast ?? false,
    cheapest: cheapest?.id ?? null,
    spotMin: spots.length === 0 ? null : Math.min(...spots),
    pricesAsOf: [...providers].flatMap((provider) => ageOf(provider)?.pricesAsOf ?? []).sort()[0] ?? null,
    basis: { live: countBy("live"), listed: countBy("listed"), unknown: countBy("unknown") },
    sample: sold.length < rentable.length,
  };
}

/** All prices, lowest first. Copying each list at once is several times as fast as flattening them. */
export function joinedPrices(lists: readonly ArrayLike<number>[]): Float64Array {
  const prices = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const list of lists) {
    prices.set(list, filled);
    filled += list.length;
  }
  return prices.sort();
}

/** Number of distinct regions; equal names of two providers are two regions. Most parts are the only one of their provider. */
function countRegions(parts: readonly MarketPart[]): number {
  const ofProvider = new Map<string, readonly string[]>();
  for (const { provider, regions } of parts) {
    const known = ofProvider.get(provider);
    ofProvider.set(provider, known === undefined ? regions : [...new Set([...known, ...regions])]);
  }
  return [...ofProvider.values()].reduce((sum, { length }) => sum + length, 0);
}

/** The range of prices that are sorted, lowest first; null without prices. */
export function priceRange(sorted: ArrayLike<number>): PriceRange | null {
  const min = sorted[0];
  const max = sorted[sorted.length - 1];
  const p10 = nearestRank(sorted, 0.1);
  const median = nearestRank(sorted, 0.5);
  const p90 = nearestRank(sorted, 0.9);
  return min === undefined || max === undefined || p10 === undefined || median === undefined || p90 === undefined
    ? null
    : { min, p10, median, p90, max };
}

/** The smallest value that at least this share of the values don't exceed; undefined without values. */
function nearestRank(sorted: ArrayLike<number>, share: number): number | undefined {
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1];
}

/** The parts of listings. */
export function marketParts(listings: Iterable<PartListing>): MarketPart[] {
  const parts = new MarketParts();
  for (const listing of listings) {
    parts.add(listing);
  }
  return parts.build();
}

/** The market of listings. All listings of a provider have prices of one age, as in `GET /api/v2/sources`. */
export function market(listings: readonly MarketListing[]): Market {
  const ages = new Map(
    listings.map(({ offer, pricesAsOf, stock }) => [offer.provider.name, { pricesAsOf, stock }] as const),
  );
  return mergeMarket(marketParts(listings), (provider) => ages.get(provider));
}
