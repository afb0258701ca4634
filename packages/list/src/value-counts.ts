import {
  imageFilter,
  imageParameters,
  LISTING_FILTER_NAMES,
  LISTING_PARAMETERS,
  ListingCursor,
  present,
  type ListingGroup,
  type ListingIndex,
  type ListingOutcomes,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
  type RestrictedImage,
} from "@gpu-offers/domain";
import { memoizeLast } from "./memoize.js";

// Counts of the values of listings: a listing counts for a filter if no other filter excludes it.

/** A value of a filter, its label, and the number of listings that choosing it shows. */
export interface ValueCount {
  label: string;
  count: number;
}

export type ValueCounts = ReadonlyMap<ListingParameterName, ReadonlyMap<string, ValueCount>>;

export type Images = ReadonlyMap<string, readonly RestrictedImage[]>;

/** The counts of all filters that are lists of values. */
export function valueCounts(
  { index, images }: { index: ListingIndex; images: Images },
  { query, outcomes }: { query: ListingQuery; outcomes: ListingOutcomes },
): ValueCounts {
  const cursor = new ListingCursor(index.parts);
  const groups = new Map<ListingGroup, Uint32Array[]>();
  /** For each distinct value of a group, the number of listings that match, apart from one filter. */
  const countsOf = (group: ListingGroup, filter: ListingParameterName): Uint32Array => {
    const byOutcome = groups.get(group) ?? groupCounts(index, group, outcomes);
    groups.set(group, byOutcome);
    const own = byOutcome[outcomes.keys.indexOf(filter) + 1];
    const matching = present(byOutcome[0]);
    return own === undefined || own === matching ? matching : matching.map((count, code) => count + present(own[code]));
  };
  return new Map(
    LISTING_FILTER_NAMES.flatMap((name): [ListingParameterName, ReadonlyMap<string, ValueCount>][] => {
      const { control, dependsOn }: ListingParameter = LISTING_PARAMETERS[name];
      const found = new Map<string, ValueCount>();
      const add = (value: string, label: string, count: number): void => {
        const known = found.get(value);
        if (known !== undefined) {
          known.count += count;
        } else if (count > 0) {
          found.set(value, { label, count });
        }
      };
      if (control?.imageValuesOf !== undefined) {
        const counts = countsOf("image", "image");
        for (const [value, codes] of bootable(index, images, JSON.stringify(imageParameters(query))).get(name) ?? []) {
          const count = codes.reduce((sum, code) => sum + present(counts[code]), 0);
          add(value, value, count);
        }
      } else if (control?.valuesOf !== undefined && dependsOn !== undefined) {
        const counts = countsOf(dependsOn, name);
        for (const [code, first] of index.groups.of(dependsOn).firsts.entries()) {
          cursor.at = first;
          for (const [value, label] of present(counts[code]) === 0 ? [] : control.valuesOf(cursor)) {
            add(value, label, present(counts[code]));
          }
        }
      } else {
        return [];
      }
      return [[name, found]];
    }),
  );
}

/** For each outcome, the number of listings with each distinct value of a group. */
function groupCounts(index: ListingIndex, group: ListingGroup, { codes, keys }: ListingOutcomes): Uint32Array[] {
  const { codes: column, firsts } = index.groups.of(group);
  const byOutcome = Array.from({ length: keys.length + 1 }, () => new Uint32Array(firsts.length));
  for (let at = 0; at < codes.length; at++) {
    // The outcome of several filters has no counts.
    const counts = byOutcome[present(codes[at])];
    if (counts !== undefined) {
      const code = present(column[at]);
      counts[code] = present(counts[code]) + 1;
    }
  }
  return byOutcome;
}

/**
 * The values of the parameters of images, each with the machines that can boot such an image, as codes of their group. Only
 * another image or catalog changes them.
 */
const bootable = memoizeLast(
  (
    index: ListingIndex,
    images: Images,
    wanted: string,
  ): ReadonlyMap<ListingParameterName, ReadonlyMap<string, readonly number[]>> => {
    const given = JSON.parse(wanted) as ListingQuery;
    const cursor = new ListingCursor(index.parts);
    const { firsts } = index.groups.of("image");
    const all = [...images.values()].flat();
    return new Map(
      LISTING_FILTER_NAMES.map((name) => {
        const { control }: ListingParameter = LISTING_PARAMETERS[name];
        const values = new Set(all.flatMap((image) => control?.imageValuesOf?.(image) ?? []));
        const machines = Array.from(values, (value) => {
          const filter = imageFilter(images, { ...given, [name]: value });
          const codes = firsts.flatMap((first, code) => {
            cursor.at = first;
            return LISTING_PARAMETERS.image.rule(cursor, filter) ? [code] : [];
          });
          return [value, codes] as const;
        });
        return [name, new Map(machines)];
      }),
    );
  },
);
