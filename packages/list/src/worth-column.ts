import {
  isAtLeast,
  stockPercentOf,
  toMicrosUp,
  worth,
  WORTH_KEYS,
  type AnySortKey,
  type Offer,
  type WorthKey,
} from "@gpu-offers/domain";
import type { Column } from "./column.js";
import { priceCell, UNKNOWN } from "./price-text.js";

// Columns of a price by what a GPU has, and of how often an offer was in stock. They are apart from the others, so that a page has these alone.

const WORTH_TITLES: Readonly<Record<WorthKey, string>> = {
  vramPrice: "$/GB-H",
  bandwidthPrice: "$/TB/S-H",
  bf16Price: "$/BF16-PF-H",
  fp8Price: "$/FP8-PF-H",
};

/** Decimals of a price by what a GPU has: a GB of memory costs about a cent. */
export const WORTH_DECIMALS = 4;

/** A price by what a GPU has, rounded up; {@link UNKNOWN} if that figure of the GPU is unknown. */
function worthText(offer: Offer, key: WorthKey): string {
  const usd = worth(offer, key);
  return usd === null ? UNKNOWN : priceCell(isAtLeast(offer), toMicrosUp(usd), { decimals: WORTH_DECIMALS });
}

/** The column that is only shown if the list is sorted by it: what a GPU costs by what it has, or how often it was in stock. */
export function findWorthColumn(sort: AnySortKey): Column | undefined {
  if (sort === "stock") {
    return stockColumn(SORTED_DROP_RANK);
  }
  const key = WORTH_KEYS.find((known) => known === sort);
  return key && worthColumn(key, SORTED_DROP_RANK);
}

/** A price that the list is sorted by is dropped last. */
const SORTED_DROP_RANK = 11;

/** The column of how often an offer was in stock in 14 days; of a group, the lowest and the highest share. */
export function stockColumn(dropRank: number): Column {
  return {
    id: "stock14d",
    title: () => "14 DAYS",
    align: "right",
    maxWidth: 8,
    dropRank,
    sort: "stock",
    key: (offer) => stockPercentOf(offer) ?? UNKNOWN,
    cell: (offer, _, places = [offer]) => {
      const known = places.flatMap((place) => stockPercentOf(place) ?? []);
      const [least, most] = [Math.min(...known), Math.max(...known)];
      return known.length === 0 ? UNKNOWN : least === most ? `${most}%` : `${least}–${most}%`;
    },
  };
}

/** The column of a price by what a GPU has. */
export function worthColumn(key: WorthKey, dropRank: number): Column {
  return {
    id: key,
    title: () => WORTH_TITLES[key],
    align: "right",
    maxWidth: 12,
    dropRank,
    sort: key,
    key: ({ gpu, pricePerGpu }) => `${gpu.slug} ${pricePerGpu}`,
    cell: (offer) => worthText(offer, key),
  };
}
