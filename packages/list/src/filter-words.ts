import { continentCode, describeImage, type FilterKey, type OfferFilter } from "@gpu-offers/domain";
import { usdText } from "./price-text.js";
import { printable } from "./printable.js";
import { givenFilters, type Query, type SortBy } from "./query.js";

// Descriptions of filters: chips on the screen, and advice if nothing matches.

const CHIPS: Readonly<Record<FilterKey, (filter: OfferFilter) => string>> = {
  gpu: ({ gpu }) => `gpu ${list(gpu)}`,
  continent: ({ continent }) => `continent ${list(continent?.map(shortContinent))}`,
  minGpuCount: (filter) => `gpus ≥${filter.minGpuCount}`,
  maxGpuCount: (filter) => `gpus ≤${filter.maxGpuCount}`,
  search: ({ search }) => `text ${JSON.stringify(search?.text)}`,
  maxPricePerGpu: ({ maxPricePerGpu }) => `max ${usdText(maxPricePerGpu ?? 0)}/GPU-h`,
  minTotalVramGb: (filter) => `total vram ≥${filter.minTotalVramGb}G`,
  minRamGb: (filter) => `ram ≥${filter.minRamGb}G`,
  minVcpu: (filter) => `vcpu ≥${filter.minVcpu}`,
  nvlink: ({ nvlink }) => (nvlink === false ? "no NVLink" : "NVLink"),
  region: ({ region }) => `region ${list(region)}`,
  budget: ({ budget }) => `$${budget?.usd} for ${budget?.hours} h`,
  image: ({ image }) => `image ${describeImage(image?.wanted ?? {})}`,
  minVramGb: ({ minVramGb }) => `vram ≥${minVramGb}G`,
  provider: ({ provider }) => `provider ${list(provider)}`,
  country: ({ country }) => `country ${list(country)}`,
  available: ({ available }) => (available === false ? "unavailable" : "available"),
  diskGb: ({ diskGb }) => `disk ${diskGb}G`,
  maxPriceHourly: ({ maxPriceHourly }) => `max ${usdText(maxPriceHourly ?? 0)}/h`,
  deploymentType: ({ deploymentType }) => list(deploymentType),
  interconnect: ({ interconnect }) => `network ${interconnect}`,
  maxTotalHourly: ({ maxTotalHourly }) => `max ${usdText(maxTotalHourly ?? 0)}/h+disk`,
};

/** Describes a set filter with its value. */
export function filterChip(key: FilterKey, filter: OfferFilter): string {
  return printable(CHIPS[key](filter));
}

const SORT_WORDS: Readonly<Record<SortBy, (filter: OfferFilter) => string>> = {
  pricePerGpu: () => "price per GPU",
  priceHourly: () => "instance price, without disk",
  total: ({ diskGb }) =>
    diskGb === undefined ? "price with the smallest disk; to set a size, press f" : `price with a ${diskGb} GB disk`,
  gpuCount: () => "number of GPUs",
  vramPrice: () => "price per GB of VRAM",
  bandwidthPrice: () => "price per TB/s of memory bandwidth",
  bf16Price: () => "price per PFLOPS of BF16",
  fp8Price: () => "price per PFLOPS of FP8",
};

/** Describes the sort key of a list. */
export function sortWords({ filter, sort, order }: Query): string {
  return `${order === "asc" ? "↑" : "↓"} ${SORT_WORDS[sort](filter)}`;
}

/** All set filters except the text, which has its own field. */
export function filterChips(filter: OfferFilter): string[] {
  const { minGpuCount: least, maxGpuCount: most } = filter;
  return givenFilters(filter)
    .filter((key) => key !== "search" && !(key === "maxGpuCount" && least !== undefined))
    .map((key) => (key === "minGpuCount" && most !== undefined ? `gpus ${least}–${most}` : filterChip(key, filter)));
}

function list(values: readonly string[] | undefined): string {
  const [first = "", ...others] = values ?? [];
  return others.length > 1 ? `${first} +${others.length}` : [first, ...others].join(" ");
}

function shortContinent(name: string): string {
  const code = continentCode(name);
  return code === "??" ? name : code;
}
