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

/** At most 6 decimals, with thousands separators: `1,000.5`. Intl.NumberFormat takes 10 ms to load its rules. */
function numberText(value: number): string {
  const [whole = "", decimals = ""] = value.toFixed(6).split(".");
  const rest = decimals.replace(/0+$/, "");
  return `${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",")}${rest === "" ? "" : `.${rest}`}`;
}

/** Dollars, with 2 decimals if there are any: `$2`, `$2.50`. */
function priceText(value: number): string {
  return `$${numberText(value).replace(/\.\d$/, "$&0")}`;
}

function unitWords(field: SearchField, value: number): readonly [number: string, unit: string] {
  const number = numberText(value);
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
