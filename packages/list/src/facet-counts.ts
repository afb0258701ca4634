import { soleFailure, type Offer, type OfferFilter } from "@gpu-offers/domain";
import { memoizeLast } from "./memoize.js";
import { filterAmong } from "./query.js";
import type { ValueKey } from "./facet-row.js";

// Counts of the offers' values, in one pass: an offer counts for a facet if no other filter excludes it.

/** A value of a facet, its label, and the number of offers that choosing it shows. */
export interface ValueCount {
  label: string;
  count: number;
}

/** Counts by value, and by provider without the image filter. */
export interface FacetCounts {
  values: Readonly<Record<ValueKey, ReadonlyMap<string, ValueCount>>>;
  /** Number of offers per provider that pass all filters but the image. */
  providersOfImages: ReadonlyMap<string, number>;
}

type Counts = Record<ValueKey, Map<string, ValueCount>>;

/** Counts of all facets. Memoized: keys and the screen need them again and again, and few keys change them. */
export const facetCounts = memoizeLast((offers: readonly Offer[], filter: OfferFilter): FacetCounts => {
  const values: Counts = {
    gpu: new Map(),
    continent: new Map(),
    country: new Map(),
    provider: new Map(),
    region: new Map(),
  };
  const providersOfImages = new Map<string, number>();
  const failureOf = soleFailure(filterAmong(offers, filter));
  for (const offer of offers) {
    const failed = failureOf(offer);
    if (failed === "several") {
      continue;
    }
    if (failed === "none" || failed === "image") {
      const { name } = offer.provider;
      providersOfImages.set(name, (providersOfImages.get(name) ?? 0) + 1);
    }
    if (failed === "none") {
      countAll(values, offer);
    } else if (failed in COUNTERS) {
      COUNTERS[failed as ValueKey](values, offer);
    }
  }
  return { values, providersOfImages };
});

const COUNTERS: Readonly<Record<ValueKey, (counts: Counts, offer: Offer) => void>> = {
  gpu: ({ gpu: counts }, { gpu }) => add(counts, gpu.slug, gpu.name),
  continent: ({ continent: counts }, { regionInfo }) => add(counts, regionInfo.continent, regionInfo.continent),
  country: ({ country: counts }, { regionInfo }) => add(counts, regionInfo.countryCode, regionInfo.countryName),
  provider: ({ provider: counts }, { provider }) => add(counts, provider.name, provider.name),
  region: addRegion,
};

function countAll(counts: Counts, offer: Offer): void {
  COUNTERS.gpu(counts, offer);
  COUNTERS.continent(counts, offer);
  COUNTERS.country(counts, offer);
  COUNTERS.provider(counts, offer);
  addRegion(counts, offer);
}

/** A zone is also in its region. */
function addRegion({ region: counts }: Counts, { region }: Offer): void {
  add(counts, region, region);
  const slash = region.indexOf("/");
  if (slash > 0) {
    const whole = region.slice(0, slash);
    add(counts, whole, whole);
  }
}

function add(counts: Map<string, ValueCount>, value: string, label: string): void {
  const known = counts.get(value);
  if (known === undefined) {
    counts.set(value, { label, count: 1 });
  } else {
    known.count++;
  }
}
