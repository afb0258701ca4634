import {
  availabilityWords,
  isAtLeast,
  present,
  type ComparedFact,
  type ComparedKey,
  type Offer,
} from "@gpu-offers/domain";
import { dateText } from "./age-text.js";
import { countText } from "./count-text.js";
import { usdText } from "./price-text.js";
import { runwayText } from "./runway-text.js";
import { printable } from "./printable.js";

// Words for a comparison of offers, on the screen and in the output of `compare`.

/** Names of the facts, at most 15 columns wide. */
export const COMPARED_NAMES: Readonly<Record<ComparedKey, string>> = {
  totalHourly: "$/h with disk",
  total30Days: "30 days",
  runwaySeconds: "runway",
  pricePerGpu: "$/GPU-h",
  priceHourly: "$/h, no disk",
  priceIsMinimum: "disk price",
  availability: "availability",
  inStockPercent14d: "% in stock, 14d",
  pricesAsOf: "prices as of",
  gpu: "GPU",
  gpuCount: "GPUs",
  vramGb: "VRAM",
  totalVramGb: "total VRAM",
  nvlink: "NVLink",
  interconnect: "network",
  architecture: "architecture",
  vcpu: "vCPU",
  ramGb: "memory",
  diskGb: "disk",
  storageMinGb: "smallest disk",
  storageMaxGb: "largest disk",
  storagePricePerGbMonth: "$/GB-month of disk",
  provider: "provider",
  deploymentType: "type",
  region: "region",
  country: "country",
  city: "city",
  continent: "continent",
};

/** Formats the fact of one of the compared offers with its unit. A total without a known disk price is marked as a minimum. */
export function comparedText({ key, unit, values }: ComparedFact, offers: readonly Offer[], index: number): string {
  const value = values[index] ?? null;
  // The code of an unknown region
  if (value === null || value === "ZZ") {
    return "unknown";
  }
  if (typeof value === "boolean") {
    return key === "priceIsMinimum" ? (value ? "unknown" : "known") : value ? "yes" : "no";
  }
  if (typeof value === "string") {
    return printable(
      key === "pricesAsOf" ? dateText(value) : key === "availability" ? availabilityWords(value) : value,
    );
  }
  switch (unit) {
    case "usd": {
      // Only the price of a GB is no sum with what the source may not state.
      const isMinimum = key !== "storagePricePerGbMonth" && isAtLeast(present(offers[index]));
      return (isMinimum ? "≥" : "") + priceText(key, value);
    }
    case "seconds":
      return runwayText(value);
    case "gb":
      return `${countText(value)} GB`;
    case "count":
    case "boolean":
    case "text":
      return countText(value);
  }
}

/** Formats the difference of a number to that of the first offer, after its text; empty if there is none. */
export function comparedDistance({ percent }: ComparedFact, index: number): string {
  const distance = percent[index] ?? null;
  return index === 0 || distance === null || distance === 0 ? "" : ` ${distance > 0 ? "+" : "−"}${Math.abs(distance)}%`;
}

function priceText(key: ComparedKey, usd: number): string {
  if (key === "total30Days") {
    return `$${countText(Math.ceil(usd))}`;
  }
  // A GB costs so little that rounding to four decimals would change it.
  return key === "storagePricePerGbMonth" && usd > 0 && usd < 0.01 ? `$${usd}` : usdText(usd);
}
