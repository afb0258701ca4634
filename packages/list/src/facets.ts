import type { Offer, OfferFilter } from "@gpu-offers/domain";
import { facetCounts, type FacetCounts } from "./facet-counts.js";
import {
  compareValues,
  FLAGS,
  IMAGE_KEYS,
  NUMBERS,
  type FacetRow,
  type ImageKey,
  type NumberFacet,
  type ValueKey,
  type ValueRow,
} from "./facet-row.js";
import { imageRows, toggleImage, type KnownImages } from "./image-facets.js";
import { printable } from "./printable.js";
import { withFilter } from "./query.js";

// The facets of a list of offers, and what choosing one changes.

const DEFAULT_BUDGET_HOURS = 1;

/** Groups of values in order. There are many regions: they come last. */
const FIRST_KEYS = ["gpu", "continent", "country", "provider"] as const satisfies readonly ValueKey[];

const TITLES: Readonly<Record<ValueKey, string>> = {
  gpu: "GPU",
  continent: "Continent",
  country: "Country",
  provider: "Provider",
  region: "Region",
};

/**
 * All facets of the offers. A value's count is the number of offers that pass the other filters, which is what choosing
 * it shows.
 */
export function facetRows(offers: readonly Offer[], filter: OfferFilter, images: KnownImages): readonly FacetRow[] {
  const counts = facetCounts(offers, filter);
  return [
    ...numberRows(filter),
    ...FIRST_KEYS.flatMap((key) => valueRows(key, counts, filter)),
    ...imageRows(counts.providersOfImages, filter, images),
    ...valueRows("region", counts, filter),
  ];
}

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

function valueRows(key: ValueKey, counts: FacetCounts, filter: OfferFilter): ValueRow[] {
  const chosen = filter[key] ?? [];
  const found = counts.values[key];
  const missing = chosen
    .filter((value) => !found.has(value))
    .map((value) => [value, { label: value, count: 0 }] as const);
  return [...missing, ...found]
    .map(([value, { label, count }]): ValueRow => ({
      kind: "value",
      key,
      group: TITLES[key],
      value,
      label: printable(label),
      count,
      isSet: chosen.includes(value),
    }))
    .sort(compareValues);
}

/** Toggles a facet. Numbers are typed. */
export function toggleFacet(
  filter: OfferFilter,
  row: Exclude<FacetRow, { kind: "number" }>,
  images: KnownImages,
): OfferFilter {
  switch (row.kind) {
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
