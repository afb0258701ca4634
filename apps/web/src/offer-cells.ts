import { listingTotal, toMicrosUp, type AnySortKey, type Offer } from "@gpu-offers/domain";
import {
  ageSince,
  countText,
  findWorthColumn,
  isTotalAtLeast,
  microsText,
  type Column,
  type Result,
} from "@gpu-offers/list";
import { decimalsOf, type Catalog } from "./catalog.js";
import type { Page } from "./page.js";

/** A column of the list. */
export interface Cell {
  id: string;
  /** Its heading; a longer one where there is room. */
  title: (result: Result, isWide: boolean) => string;
  sort?: AnySortKey | undefined;
  /** Width in rem: in rows of one line, and in rows of two. */
  width: readonly [wide: number, narrow: number];
  /** Order in which columns are dropped where there is no room, lowest first; undefined if never. */
  dropRank?: number;
  text: (offer: Offer, catalog: Catalog, result: Result, page: Page) => string;
}

/** Columns of numbers, in order. */
const NUMBER_CELLS: readonly Cell[] = [
  {
    id: "perGpu",
    title: () => "$/GPU-h",
    sort: "pricePerGpu",
    width: [5.2, 4.7],
    text: (offer, catalog, result) => priceText(catalog, result, offer.pricePerGpu, isTotalAtLeast(offer, undefined)),
  },
  {
    id: "hourly",
    title: () => "$/h",
    sort: "priceHourly",
    width: [5.5, 5.5],
    dropRank: 0,
    text: (offer, catalog, result) => priceText(catalog, result, offer.priceHourly, isTotalAtLeast(offer, undefined)),
  },
  {
    id: "total",
    title: ({ diskGb }, isWide) => (isWide && diskGb !== undefined ? `$/h+${countText(diskGb)} GB` : "$/h+disk"),
    sort: "total",
    width: [6.6, 5.1],
    text: (offer, catalog, result) => {
      const { hourly, isAtLeast } = listingTotal(offer, { disk: result.diskGb });
      return priceText(catalog, result, hourly, isAtLeast);
    },
  },
  {
    id: "hours",
    title: ({ hours }) => `${countText(hours ?? 0)} h`,
    width: [6, 5.4],
    text: (offer, _, result) => hoursText(offer, result).replace("$", ""),
  },
  {
    id: "machine",
    title: () => "CPU/RAM",
    width: [5.2, 5.2],
    dropRank: 1,
    text: ({ specs: { vcpu, ram } }) =>
      vcpu === 0 && ram === 0 ? "–" : `${vcpu === 0 ? "–" : vcpu}/${ram === 0 ? "–" : ram}`,
  },
  {
    id: "age",
    title: () => "Price age",
    width: [5.2, 5.2],
    dropRank: 2,
    text: ({ provider }, { sources }, _, { state: { nowMs } }) =>
      ageSince(sources.get(provider.name)?.pricesAsOf ?? "", nowMs) ?? "unknown",
  },
];

/** The columns of numbers of a result, in order; the last is of what a price is worth, if it is sorted by that. */
export function cellsOf({ hours, selection }: Result): readonly Cell[] {
  const worth = findWorthColumn(selection.sort.sort);
  return [
    ...NUMBER_CELLS.filter(({ id }) => id !== "hours" || hours !== undefined),
    ...(worth === undefined ? [] : [worthCell(worth)]),
  ];
}

function worthCell({ sort, title, cell }: Column): Cell {
  return {
    id: "worth",
    title: () => title(undefined).replace(/-H$/, ""),
    sort,
    width: [6, 6],
    text: (offer, catalog, { diskGb, isSpot }) => {
      const decimals = decimalsOf(catalog, diskGb, isSpot);
      return cell(offer, { diskGb, balance: undefined, imageCounts: new Map(), decimals });
    },
  };
}

/** What the hours of a query cost, rounded up to a cent: `≥$1,309.57`; empty if it has none. */
export function hoursText(offer: Offer, { diskGb, hours }: Pick<Result, "diskGb" | "hours">): string {
  const { forHours, isAtLeast } = listingTotal(offer, { disk: diskGb, hours });
  if (forHours === undefined) {
    return "";
  }
  const cents = Math.ceil(toMicrosUp(forHours) / 10_000);
  return `${isAtLeast ? "≥" : ""}$${countText(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, "0")}`;
}

/** A price with the decimals of all; minimums are marked. */
function priceText(catalog: Catalog, { diskGb, isSpot }: Result, usd: number, isAtLeast: boolean): string {
  return `${isAtLeast ? "≥" : ""}${microsText(toMicrosUp(usd), decimalsOf(catalog, diskGb, isSpot))}`;
}
