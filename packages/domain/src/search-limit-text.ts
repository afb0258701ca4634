import type { SearchField, SearchOperator } from "./search-term.js";

// Limits of a search in words.

const operatorWords: Readonly<Record<SearchOperator, string>> = {
  "=": "",
  "<": "below ",
  "<=": "at most ",
  ">": "above ",
  ">=": "at least ",
};

/** A limit in words: "below $2 per GPU-hour", "48 GB VRAM". */
export function limitText(field: SearchField, operator: SearchOperator, value: number): string {
  const [unit, words] = unitWords(field, value);
  return `${operatorWords[operator]}${unit}${words}`;
}

/** A range in words: "$1 to $2 per GPU-hour". */
export function rangeWords(field: SearchField, low: number, high: number): string {
  const [unit, words] = unitWords(field, high);
  return `${unitWords(field, low)[0]} to ${unit}${words}`;
}

const numberFormat = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const priceFormat = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });

function priceText(value: number): string {
  return `$${(Number.isInteger(value) ? numberFormat : priceFormat).format(value)}`;
}

function unitWords(field: SearchField, value: number): readonly [number: string, unit: string] {
  const number = numberFormat.format(value);
  switch (field) {
    case "gpuCount":
      return [number, value === 1 ? " GPU" : " GPUs"];
    case "vram":
      return [number, " GB VRAM"];
    case "totalVram":
      return [number, " GB VRAM in total"];
    case "ram":
      return [number, " GB RAM"];
    case "vcpu":
      return [number, value === 1 ? " vCPU" : " vCPUs"];
    case "disk":
      return [number, " GB disk"];
    case "pricePerGpu":
      return [priceText(value), " per GPU-hour"];
    case "priceHourly":
      return [priceText(value), " per hour for the instance"];
  }
}
