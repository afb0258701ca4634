import { continentCode, describeImage, type FilterKey, type OfferFilter } from "@gpu-offers/domain";
import { usdText } from "./price-text.js";
import { printable } from "./printable.js";
import { givenFilters, type Query, type SortBy } from "./query.js";

// Descriptions of filters: chips on the screen, advice if nothing matches, flags of the command line.

interface Words {
  /** Short description with the value. */
  chip: (filter: OfferFilter) => string;
  /** The flag that sets it. */
  flag: string;
}

const WORDS: Readonly<Record<FilterKey, Words>> = {
  gpu: { chip: ({ gpu }) => `gpu ${list(gpu)}`, flag: "--gpu" },
  continent: { chip: ({ continent }) => `continent ${list(continent?.map(shortContinent))}`, flag: "--continent" },
  minGpuCount: { chip: (filter) => `gpus ≥${filter.minGpuCount}`, flag: "--min-gpus" },
  maxGpuCount: { chip: (filter) => `gpus ≤${filter.maxGpuCount}`, flag: "--max-gpus" },
  search: { chip: ({ search }) => `text ${JSON.stringify(search?.text)}`, flag: "--text" },
  maxPricePerGpu: { chip: ({ maxPricePerGpu }) => `max ${usdText(maxPricePerGpu ?? 0)}/GPU-h`, flag: "--max-price" },
  minTotalVramGb: { chip: (filter) => `total vram ≥${filter.minTotalVramGb}G`, flag: "--min-total-vram" },
  minRamGb: { chip: (filter) => `ram ≥${filter.minRamGb}G`, flag: "--min-ram" },
  minVcpu: { chip: (filter) => `vcpu ≥${filter.minVcpu}`, flag: "--min-vcpu" },
  nvlink: { chip: ({ nvlink }) => (nvlink === false ? "no NVLink" : "NVLink"), flag: "--nvlink" },
  region: { chip: ({ region }) => `region ${list(region)}`, flag: "--region" },
  budget: {
    chip: ({ budget }) => `$${budget?.usd} for ${budget?.hours} h`,
    flag: "--budget",
  },
  image: { chip: ({ image }) => `image ${describeImage(image?.wanted ?? {})}`, flag: "--image, --os, --cuda" },
  minVramGb: { chip: ({ minVramGb }) => `vram ≥${minVramGb}G`, flag: "--min-vram" },
  provider: { chip: ({ provider }) => `provider ${list(provider)}`, flag: "--provider" },
  country: { chip: ({ country }) => `country ${list(country)}`, flag: "--country" },
  available: { chip: ({ available }) => (available === false ? "unavailable" : "available"), flag: "--available" },
  diskGb: { chip: ({ diskGb }) => `disk ${diskGb}G`, flag: "--disk" },
  maxPriceHourly: { chip: ({ maxPriceHourly }) => `max ${usdText(maxPriceHourly ?? 0)}/h`, flag: "--max-hourly" },
  deploymentType: { chip: ({ deploymentType }) => list(deploymentType), flag: "--deployment-type" },
  interconnect: { chip: ({ interconnect }) => `network ${interconnect}`, flag: "--interconnect" },
  maxTotalHourly: { chip: ({ maxTotalHourly }) => `max ${usdText(maxTotalHourly ?? 0)}/h+disk`, flag: "--max-total" },
};

/** Describes a set filter with its value. */
export function filterChip(key: FilterKey, filter: OfferFilter): string {
  return printable(WORDS[key].chip(filter));
}

/** The flag of a filter. */
export function flagOf(key: FilterKey): string {
  return WORDS[key].flag;
}

/** Describes what dropping a filter would show. `--first` excludes unavailable offers even without a flag. */
export function withoutFilter(key: FilterKey, filter: OfferFilter): string {
  return key === "available" ? "Unavailable offers" : `Without ${WORDS[key].flag} (${filterChip(key, filter)})`;
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
