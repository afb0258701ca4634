import { matchesOffer, type Offer, type OfferFilter } from "@gpu-offers/domain";
import { printable } from "../text/width.js";
import { IMAGE_KEYS, imageRows, toggleImage, type ImageKey, type KnownImages } from "./image-facets.js";
import { DEFAULT_BUDGET_HOURS, withFilter } from "./query.js";
import { memoizeLast } from "./memoize.js";

// The facets: number inputs, a switch, and the offers' values with counts.

/** Filters that are lists of values, in the order of their groups. There are many regions: they come last. */
const FIRST_KEYS = ["gpu", "continent", "country", "provider"] as const;
type ValueKey = (typeof FIRST_KEYS)[number] | "region";

/** Filters that are numbers, with their labels and whether they take decimals. */
const NUMBERS = [
  { key: "diskGb", label: "Required disk, GB", isPrice: false },
  { key: "maxTotalHourly", label: "Max $/h with disk", isPrice: true },
  { key: "maxPricePerGpu", label: "Max $/GPU-h", isPrice: true },
  { key: "budget", label: "Budget, $", isPrice: true },
  { key: "minVramGb", label: "Min VRAM, GB", isPrice: false },
  { key: "minTotalVramGb", label: "Min total VRAM", isPrice: false },
  { key: "minRamGb", label: "Min RAM, GB", isPrice: false },
  { key: "minVcpu", label: "Min vCPU", isPrice: false },
  { key: "minGpuCount", label: "Min GPUs", isPrice: false },
  { key: "maxGpuCount", label: "Max GPUs", isPrice: false },
] as const;
type NumberFacet = (typeof NUMBERS)[number];

/** Filters that are switches. */
const FLAGS = [
  { key: "available", label: "Available" },
  { key: "nvlink", label: "NVLink" },
] as const;
type FlagKey = (typeof FLAGS)[number]["key"];

/** A line of the facets. */
export type FacetRow =
  | { kind: "number"; facet: NumberFacet; label: string; value: number | undefined }
  | { kind: "flag"; key: FlagKey; label: string; isSet: boolean }
  | ValueRow;

/** A value of a group, with the number of offers that choosing it shows. */
export interface ValueRow {
  kind: "value";
  key: ValueKey | ImageKey;
  group: string;
  value: string;
  label: string;
  count: number;
  isSet: boolean;
}

const GROUPS: Readonly<
  Record<ValueKey, { title: string; valueOf: (offer: Offer) => string; labelOf: (offer: Offer) => string }>
> = {
  gpu: { title: "GPU", valueOf: (o) => o.gpu.slug, labelOf: (o) => o.gpu.name },
  continent: { title: "Continent", valueOf: (o) => o.regionInfo.continent, labelOf: (o) => o.regionInfo.continent },
  country: { title: "Country", valueOf: (o) => o.regionInfo.countryCode, labelOf: (o) => o.regionInfo.countryName },
  provider: { title: "Provider", valueOf: (o) => o.provider.name, labelOf: (o) => o.provider.name },
  region: { title: "Region", valueOf: (o) => o.region, labelOf: (o) => o.region },
};

/** Values of an offer and their labels. A zone is also in its region. */
function valuesOf(key: ValueKey, offer: Offer): (readonly [value: string, label: string])[] {
  const { valueOf, labelOf } = GROUPS[key];
  const value = valueOf(offer);
  const slash = key === "region" ? value.indexOf("/") : -1;
  const region = value.slice(0, Math.max(0, slash));
  return [[value, labelOf(offer)], ...(region === "" ? [] : [[region, region] as const])];
}

/**
 * All facets of the offers. A value's count is the number of offers that pass the other filters, which is what choosing
 * it shows.
 */
export const facetRows = memoizeLast(
  (offers: readonly Offer[], filter: OfferFilter, images: KnownImages): readonly FacetRow[] => {
    const { first, regions } = offerRows(offers, filter);
    return [...numberRows(filter), ...first, ...imageRows(offers, filter, images), ...regions];
  },
);

/** Images load provider by provider, so counts that don't depend on them are memoized. */
const offerRows = memoizeLast((offers: readonly Offer[], filter: OfferFilter) => ({
  first: FIRST_KEYS.flatMap((key) => valueRows(key, offers, filter)),
  regions: valueRows("region", offers, filter),
}));

/** Rows that match a search, ignoring case, spaces and hyphens; all rows if it is empty. */
export function foundFacets(rows: readonly FacetRow[], search: string): readonly FacetRow[] {
  const wanted = normalized(search);
  return wanted === ""
    ? rows
    : rows.filter(
        (row) => row.kind === "value" && normalized(`${row.group} ${row.label} ${row.value}`).includes(wanted),
      );
}

function normalized(text: string): string {
  return text.toLowerCase().replaceAll(/[\s-]/g, "");
}

function numberRows(filter: OfferFilter): FacetRow[] {
  return [
    ...NUMBERS.map((facet): FacetRow => ({
      kind: "number",
      facet,
      label: numberLabel(facet, filter),
      value: numberOf(filter, facet),
    })),
    ...FLAGS.map(({ key, label }): FacetRow => ({ kind: "flag", key, label, isSet: filter[key] === true })),
  ];
}

/** A budget is for a number of hours. */
function numberLabel({ key, label }: NumberFacet, { budget }: OfferFilter): string {
  return key === "budget" ? `Budget for ${budget?.hours ?? DEFAULT_BUDGET_HOURS} h, $` : label;
}

function numberOf(filter: OfferFilter, { key }: NumberFacet): number | undefined {
  return key === "budget" ? filter.budget?.usd : filter[key];
}

function valueRows(key: ValueKey, offers: readonly Offer[], filter: OfferFilter): ValueRow[] {
  const { title } = GROUPS[key];
  const others = withFilter(filter, key, undefined);
  const chosen = filter[key] ?? [];
  const counts = new Map<string, { label: string; count: number }>(
    chosen.map((value) => [value, { label: value, count: 0 }]),
  );
  for (const offer of offers) {
    if (matchesOffer(offer, others)) {
      for (const [value, label] of valuesOf(key, offer)) {
        counts.set(value, { label, count: (counts.get(value)?.count ?? 0) + 1 });
      }
    }
  }
  return [...counts]
    .sort(([a, { count: countA }], [b, { count: countB }]) => countB - countA || (a < b ? -1 : 1))
    .map(([value, { label, count }]) => ({
      kind: "value",
      key,
      group: title,
      value,
      label: printable(label),
      count,
      isSet: chosen.includes(value),
    }));
}

/** Toggles a facet. Numbers can only be cleared, because typing sets them. */
export function toggleFacet(filter: OfferFilter, row: FacetRow, images: KnownImages): OfferFilter {
  switch (row.kind) {
    case "number":
      return withFilter(filter, row.facet.key, undefined);
    case "flag":
      return withFilter(filter, row.key, row.isSet ? undefined : true);
    case "value": {
      const { key, value } = row;
      if (isImageKey(key)) {
        return toggleImage(filter, { key, value, isSet: row.isSet }, images);
      }
      const chosen = filter[key] ?? [];
      const next = row.isSet ? chosen.filter((other) => other !== value) : [...chosen, value];
      return withFilter(filter, key, next.length === 0 ? undefined : next);
    }
  }
}

function isImageKey(key: ValueRow["key"]): key is ImageKey {
  return IMAGE_KEYS.some((other) => other === key);
}

/** The filter with a number as it is typed, unset while it is unfinished; undefined for invalid text. */
export function typeFacet(filter: OfferFilter, { key, isPrice }: NumberFacet, text: string): OfferFilter | undefined {
  const form = isPrice ? /^\d{0,6}(?:\.\d{0,6})?$/ : /^\d{0,9}$/;
  if (!form.test(text)) {
    return undefined;
  }
  const value = Number(text);
  // Counts start at 1 in the interface; a zero while typing isn't a filter.
  const given = text === "" || text === "." || value === 0 ? undefined : value;
  return key === "budget"
    ? withFilter(
        filter,
        key,
        given === undefined ? undefined : { usd: given, hours: filter.budget?.hours ?? DEFAULT_BUDGET_HOURS },
      )
    : withFilter(filter, key, given);
}
