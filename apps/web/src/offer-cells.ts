import { listingTotal, toMicrosUp, type AnySortKey, type Offer } from "@gpu-offers/domain";
import { ageSince, countText, microsText } from "@gpu-offers/list";
import type { Catalog, Result } from "./evaluate.js";
import type { Page } from "./page.js";

/** A column of the list. */
export interface Cell {
  id: string;
  title: string;
  sort?: AnySortKey;
  /** Least width of the list, in px, for this column. */
  from: number;
  text: (offer: Offer, catalog: Catalog, result: Result, page: Page) => string;
}

/** The columns of numbers, in order. */
export const NUMBER_CELLS: readonly Cell[] = [
  {
    id: "perGpu",
    title: "$/GPU-h",
    sort: "pricePerGpu",
    from: 0,
    text: (offer, _, { decimals }) =>
      marked(!offer.costDataComplete, microsText(toMicrosUp(offer.pricePerGpu), decimals)),
  },
  {
    id: "hourly",
    title: "$/h",
    sort: "priceHourly",
    from: 1000,
    text: (offer, _, { decimals }) =>
      marked(!offer.costDataComplete, microsText(toMicrosUp(offer.priceHourly), decimals)),
  },
  {
    id: "total",
    title: "$/h+disk",
    sort: "total",
    from: 0,
    text: (offer, _, { diskGb, decimals }) => {
      const { hourly, isAtLeast } = listingTotal(offer, { disk: diskGb });
      return marked(isAtLeast, microsText(toMicrosUp(hourly), decimals));
    },
  },
  {
    id: "hours",
    title: "",
    from: 420,
    text: (offer, _, { diskGb, hours }) => {
      const { forHours = 0, isAtLeast } = listingTotal(offer, { disk: diskGb, hours });
      return hours === undefined ? "" : marked(isAtLeast, countText(Math.ceil(forHours)));
    },
  },
  {
    id: "machine",
    title: "CPU/RAM",
    from: 880,
    text: ({ specs: { vcpu, ram } }) =>
      vcpu === 0 && ram === 0 ? "–" : `${vcpu === 0 ? "–" : vcpu}/${ram === 0 ? "–" : ram}`,
  },
  {
    id: "age",
    title: "Price age",
    from: 760,
    text: ({ provider }, { sources }, _, { state: { nowMs } }) =>
      ageSince(sources.get(provider.name)?.pricesAsOf ?? "", nowMs) ?? "unknown",
  },
];

/** Minimums are marked. */
function marked(isAtLeast: boolean, text: string): string {
  return `${isAtLeast ? "≥" : ""}${text}`;
}

/** Heading such as `$/h+500 GB`. */
export function totalTitle(diskGb: number | undefined): string {
  return diskGb === undefined ? "$/h+disk" : `$/h+${countText(diskGb)} GB`;
}
