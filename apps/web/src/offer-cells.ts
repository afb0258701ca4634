import { listingTotal, toMicrosUp, type AnySortKey, type Offer } from "@gpu-offers/domain";
import { ageSince, countText, isTotalAtLeast, microsText, type Result } from "@gpu-offers/list";
import { decimalsOf, type Catalog } from "./catalog.js";
import type { Page } from "./page.js";

/** A column of the list. */
export interface Cell {
  id: string;
  title: string;
  sort?: AnySortKey;
  /** Width in rem: in rows of one line, and in rows of two. */
  width: readonly [wide: number, narrow: number];
  /** Order in which columns are dropped where there is no room, lowest first; undefined if never. */
  dropRank?: number;
  text: (offer: Offer, catalog: Catalog, result: Result, page: Page) => string;
}

/** The columns of numbers, in order. */
export const NUMBER_CELLS: readonly Cell[] = [
  {
    id: "perGpu",
    title: "$/GPU-h",
    sort: "pricePerGpu",
    width: [5.2, 4.7],
    text: (offer, catalog, result) =>
      marked(isTotalAtLeast(offer, undefined), priceText(catalog, result, offer.pricePerGpu)),
  },
  {
    id: "hourly",
    title: "$/h",
    sort: "priceHourly",
    width: [5.5, 5.5],
    dropRank: 0,
    text: (offer, catalog, result) =>
      marked(isTotalAtLeast(offer, undefined), priceText(catalog, result, offer.priceHourly)),
  },
  {
    id: "total",
    title: "$/h+disk",
    sort: "total",
    width: [6.6, 5.1],
    text: (offer, catalog, result) => {
      const { hourly, isAtLeast } = listingTotal(offer, { disk: result.diskGb });
      return marked(isAtLeast, priceText(catalog, result, hourly));
    },
  },
  {
    id: "hours",
    title: "",
    width: [6, 5.4],
    text: (offer, _, result) => hoursText(offer, result).replace("$", ""),
  },
  {
    id: "machine",
    title: "CPU/RAM",
    width: [5.2, 5.2],
    dropRank: 1,
    text: ({ specs: { vcpu, ram } }) =>
      vcpu === 0 && ram === 0 ? "–" : `${vcpu === 0 ? "–" : vcpu}/${ram === 0 ? "–" : ram}`,
  },
  {
    id: "age",
    title: "Price age",
    width: [5.2, 5.2],
    dropRank: 2,
    text: ({ provider }, { sources }, _, { state: { nowMs } }) =>
      ageSince(sources.get(provider.name)?.pricesAsOf ?? "", nowMs) ?? "unknown",
  },
];

/** What the hours of a query cost, rounded up to a cent: `≥$1,309.57`; empty if it has none. */
export function hoursText(offer: Offer, { diskGb, hours }: Pick<Result, "diskGb" | "hours">): string {
  const { forHours, isAtLeast } = listingTotal(offer, { disk: diskGb, hours });
  return forHours === undefined ? "" : marked(isAtLeast, `$${centsText(forHours)}`);
}

/** Dollars and cents, rounded up: `1,309.57`. */
function centsText(usd: number): string {
  const cents = Math.ceil(toMicrosUp(usd) / 10_000);
  return `${countText(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")}`;
}

/** A price with the decimals of all. */
function priceText(catalog: Catalog, { diskGb, isSpot }: Result, usd: number): string {
  return microsText(toMicrosUp(usd), decimalsOf(catalog, diskGb, isSpot));
}

/** Minimums are marked. */
function marked(isAtLeast: boolean, text: string): string {
  return `${isAtLeast ? "≥" : ""}${text}`;
}

/** The heading of a column: `$/h+500 GB` where there is room. */
export function cellTitle({ id, title }: Cell, { diskGb, hours }: Result, isWide: boolean): string {
  if (id === "total") {
    return isWide && diskGb !== undefined ? `$/h+${countText(diskGb)} GB` : "$/h+disk";
  }
  return id === "hours" ? `${countText(hours ?? 0)} h` : title;
}
