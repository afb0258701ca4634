import { providerKey } from "@gpu-offers/domain";
import { diskGaps, diskRows } from "./disks.facts.js";

/** The disks of a provider in facts/disks.csv. */
export interface DiskProducts {
  /** What machines boot from, and which volumes can be added; null if there is no row, and each offer states its own. */
  product: string | null;
  /** Price of a GB and month, such as `0.08-0.152 USD`; `by size` if sizes have prices of their own; null if unknown. */
  price: string | null;
  /** Day or month of the price. */
  asOf: string | null;
  /** What no source that can be cited states. */
  unknown: string | null;
}

/** Keys of the providers with rows of their own. */
export const DISK_PROVIDERS: readonly string[] = [
  ...new Set([...diskRows.map(({ provider }) => provider), ...diskGaps.keys()]),
];

/** The disks of a provider, by its name. */
export function diskProducts(name: string): DiskProducts {
  const key = providerKey(name);
  const rows = diskRows.filter(({ provider }) => provider === key);
  const products = rows.map(({ product, use }) => `${product}${use === "added" ? ", added" : ""}`);
  const priced = rows.filter(({ perGb, steps }) => (perGb ?? steps) !== undefined);
  return {
    product: [...new Set(products)].join("; ") || null,
    price: priceText(priced),
    asOf: priced[0]?.asOf ?? null,
    unknown: diskGaps.get(key) ?? null,
  };
}

function priceText(rows: readonly (typeof diskRows)[number][]): string | null {
  const prices = rows.flatMap(({ perGb }) => perGb ?? []);
  if (prices.length < rows.length) {
    return "by size";
  }
  const range = [...new Set([Math.min(...prices), Math.max(...prices)])].join("-");
  return prices.length === 0 ? null : `${range} ${rows[0]?.currency ?? "USD"}`;
}
