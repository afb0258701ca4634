import { present, type ListingColumnParts, type ListingOutcomes, type Offer } from "@gpu-offers/domain";
import type { ValueCount } from "./facet-counts.js";

// Counts of the values of listings in columns, in one pass: a listing counts for a facet if no other filter excludes it.

/** Filters that are lists of values with counts. */
export const LISTING_FACETS = [
  "gpu",
  "provider",
  "continent",
  "country",
  "region",
  "seller",
  "deploymentType",
] as const;
/** One of {@link LISTING_FACETS}. */
export type ListingFacet = (typeof LISTING_FACETS)[number];

/** Number of listings that choosing each value shows; for images, by provider. */
export type ListingFacetCounts = Readonly<Record<ListingFacet | "image", ReadonlyMap<string, ValueCount>>>;

type Values = Pick<ListingColumnParts["values"], "gpu" | "provider" | "place" | "terms">;
type Shared = keyof Values;

interface Facet<Key extends Shared> {
  shared: Key;
  /** The values of a listing, and their labels; a zone is also in its region. */
  valuesOf: (value: Values[Key][number]) => readonly (readonly [value: string, label: string])[];
}

const providers: Facet<"provider"> = { shared: "provider", valuesOf: ({ name }) => [[name, name]] };

const FACETS: { [Key in ListingFacet | "image"]: Facet<"gpu"> | Facet<"provider"> | Facet<"place"> | Facet<"terms"> } =
  {
    gpu: { shared: "gpu", valuesOf: ({ slug, name }) => [[slug, name]] } satisfies Facet<"gpu">,
    provider: providers,
    image: providers,
    continent: {
      shared: "place",
      valuesOf: ({ regionInfo: { continent } }) => [[continent, continent]],
    } satisfies Facet<"place">,
    country: {
      shared: "place",
      valuesOf: ({ regionInfo: { countryCode, countryName } }) => [[countryCode, countryName]],
    } satisfies Facet<"place">,
    region: { shared: "place", valuesOf: regionsOf } satisfies Facet<"place">,
    seller: {
      shared: "terms",
      valuesOf: ({ seller }) => (seller === null ? [] : [[seller, seller]]),
    } satisfies Facet<"terms">,
    deploymentType: {
      shared: "terms",
      valuesOf: ({ deploymentType }) => [[deploymentType, deploymentType]],
    } satisfies Facet<"terms">,
  };

function regionsOf({ region }: Pick<Offer, "region">): [string, string][] {
  const slash = region.indexOf("/");
  const whole = slash > 0 ? region.slice(0, slash) : undefined;
  return whole === undefined ? [[region, region]] : [region, whole].map((name) => [name, name]);
}

/** The counts of all facets. */
export function listingFacets(
  { codes: columns, values: all }: Pick<ListingColumnParts, "codes" | "values">,
  { codes, keys }: ListingOutcomes,
): ListingFacetCounts {
  const shareds = ["gpu", "provider", "place", "terms"] as const;
  // For each outcome, the number of listings with each shared value. Outcomes are few, and 255 is that of several filters.
  const counts = shareds.map((shared) => ({
    column: columns[shared],
    byOutcome: Array.from({ length: keys.length + 1 }, () => new Uint32Array(all[shared].length)),
  }));
  for (let at = 0; at < codes.length; at++) {
    const outcome = present(codes[at]);
    if (outcome > keys.length) {
      continue;
    }
    for (const { column, byOutcome } of counts) {
      const row = present(byOutcome[outcome]);
      const code = present(column[at]);
      row[code] = present(row[code]) + 1;
    }
  }
  const facetOf = (name: ListingFacet | "image"): ReadonlyMap<string, ValueCount> => {
    const { shared, valuesOf } = FACETS[name];
    const { byOutcome } = present(counts[shareds.indexOf(shared)]);
    const own = byOutcome[keys.indexOf(name) + 1];
    const found = new Map<string, ValueCount>();
    for (const [code, value] of all[shared].entries()) {
      const count = present(byOutcome[0]?.[code]) + (keys.includes(name) ? present(own?.[code]) : 0);
      // The values are those that the facet reads.
      for (const [key, label] of count === 0 ? [] : valuesOf(value as never)) {
        const known = found.get(key);
        found.set(key, { label, count: (known?.count ?? 0) + count });
      }
    }
    return found;
  };
  return {
    gpu: facetOf("gpu"),
    provider: facetOf("provider"),
    continent: facetOf("continent"),
    country: facetOf("country"),
    region: facetOf("region"),
    seller: facetOf("seller"),
    deploymentType: facetOf("deploymentType"),
    image: facetOf("image"),
  };
}
