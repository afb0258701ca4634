import type { FilteredListing, ListingParameter } from "./listing-parameter.js";
import { cudaVersions, imageSystem, type ImageFilter } from "../image/image-filter.js";
import { imageFits } from "../image/os-image.js";
import type { ModelFilter } from "../model/fits.js";
import { fromMicros, isWithinBudget } from "../money/money.js";
import { neededMicros } from "./listing-total.js";
import { AVAILABILITIES, availabilityOf, availabilityWords, isOnSale } from "../offer/availability.js";
import { DEPLOYMENT_TYPES } from "../offer/offer.js";
import { CONTINENTS } from "../place/continent.js";
import { diskFor, isDiskUnknown } from "../offer/storage.js";
import { isWithinRegion, regionsOf } from "../place/region.js";
import { LIST_RULES } from "../offer-query/offer-list.js";
import { SORT_ORDERS } from "../offer-query/offer-sort.js";
import { ALL_SORT_KEYS } from "./listing-order.js";
import { MAX_PAGE_SIZE } from "../page-size.js";
import { SELLERS, SPOT_FILTERS, VERIFIED_FILTERS } from "../provider/seller.js";

// The one query of listings: every parameter with its names, its rule, and its control and chip. The HTTP API, the flags of the
// picker and of scripts, the arguments of agents, the index, the facets of the picker and the page are made from this table.
// Descriptions are in listing-parameter-docs.ts: a page in a browser doesn't need them.

const DEFAULT_BUDGET_HOURS = 1;

function doors<const Flag extends string | null, const Argument extends string>(flag: Flag, argument: Argument) {
  return { flag, argument };
}

/** The values of a listing, which are their own labels. */
function values(valuesOf: (listing: FilteredListing) => readonly string[]) {
  return (listing: FilteredListing) => valuesOf(listing).map((value) => [value, value] as const);
}

/** All parameters, by their names in the HTTP API, in the order of documentation. */
export const LISTING_PARAMETERS = {
  q: {
    kind: "text",
    ...doors("text", "text"),
    control: { label: "Words", place: "query" },
    named: "words",
    chip: (text) => `text ${JSON.stringify(text)}`,
  },
  gpu: {
    kind: "names",
    ...doors("gpu", "gpu"),
    control: {
      label: "GPU",
      place: "first",
      job: { rank: 1, before: "of type", example: "any" },
      valuesOf: ({ offer: { gpu } }) => [[gpu.slug, gpu.name]],
    },
    named: "grammar",
    rule: ({ offer }, slugs: readonly string[]) => LIST_RULES.gpu(offer, slugs),
    dependsOn: "gpu",
    chip: (text) => `gpu ${text.replaceAll("=", "")}`,
  },
  provider: {
    kind: "names",
    ...doors("provider", "provider"),
    control: { label: "Provider", place: "first", valuesOf: values(({ offer }) => [offer.provider.name]) },
    named: "providers",
    rule: ({ offer }, providers: readonly string[]) => providers.includes(offer.provider.name),
    dependsOn: "provider",
  },
  not_provider: {
    kind: "names",
    ...doors("not-provider", "notProvider"),
    control: { label: "Not provider", place: "more" },
    suggestions: ({ offer }) => [offer.provider.name],
    named: "providers",
    rule: ({ offer }, providers: readonly string[]) => !providers.includes(offer.provider.name),
    dependsOn: "provider",
    chip: (text) => `not ${text}`,
  },
  continent: {
    kind: "names",
    ...doors("continent", "continent"),
    control: {
      label: "Continent",
      place: "first",
      job: { rank: 3, before: "in", example: "any place" },
      known: CONTINENTS,
      valuesOf: values(({ offer }) => [offer.regionInfo.continent]),
    },
    named: "grammar",
    rule: ({ offer }, continents: readonly string[]) => LIST_RULES.continent(offer, continents),
    dependsOn: "place",
  },
  country: {
    kind: "names",
    ...doors("country", "country"),
    control: {
      label: "Country",
      place: "first",
      valuesOf: ({ offer: { regionInfo } }) => [[regionInfo.countryCode, regionInfo.countryName]],
    },
    named: "grammar",
    rule: ({ offer }, codes: readonly string[]) => codes.includes(offer.regionInfo.countryCode),
    dependsOn: "place",
  },
  region: {
    kind: "regions",
    ...doors("region", "region"),
    control: { label: "Region", place: "more", valuesOf: values(({ offer }) => regionsOf(offer.region)) },
    named: "offers",
    rule: ({ offer }, regions: readonly string[]) => regions.some((region) => isWithinRegion(offer.region, region)),
    dependsOn: "place",
  },
  min_gpu_count: {
    kind: "count",
    ...doors("min-gpus", "minGpus"),
    control: {
      label: "Min GPUs",
      place: "first",
      job: { rank: 0, before: "Rent", after: "or more GPUs", exactly: "GPUs", example: "1" },
    },
    rule: ({ offer }, count: number) => LIST_RULES.min_gpu_count(offer, count),
    dependsOn: "machine",
    chip: (text) => `gpus ≥${text}`,
  },
  max_gpu_count: {
    kind: "count",
    ...doors("max-gpus", "maxGpus"),
    control: { label: "Max GPUs", place: "first" },
    rule: ({ offer }, count: number) => LIST_RULES.max_gpu_count(offer, count),
    dependsOn: "machine",
    chip: (text) => `gpus ≤${text}`,
  },
  min_vram: {
    kind: "gb",
    ...doors("min-vram", "minVramGb"),
    control: { label: "Min VRAM, GB", place: "first" },
    rule: ({ offer }, vramGb: number) => offer.gpu.vramGB >= vramGb,
    dependsOn: "gpu",
    chip: (text) => `vram ≥${text}G`,
  },
  min_total_vram: {
    kind: "gb",
    ...doors("min-total-vram", "minTotalVramGb"),
    control: { label: "Min total VRAM, GB", place: "more" },
    rule: ({ offer }, vramGb: number) => offer.gpu.vramGB * offer.gpuCount >= vramGb,
    dependsOn: "machine",
    chip: (text) => `total vram ≥${text}G`,
  },
  min_ram: {
    kind: "gb",
    ...doors("min-ram", "minRamGb"),
    control: { label: "Min RAM, GB", place: "more" },
    rule: ({ offer }, ramGb: number) => offer.specs.ram >= ramGb,
    dependsOn: "memory",
    chip: (text) => `ram ≥${text}G`,
  },
  min_vcpu: {
    kind: "count",
    ...doors("min-vcpu", "minVcpu"),
    control: { label: "Min vCPU", place: "more" },
    rule: ({ offer }, vcpu: number) => offer.specs.vcpu >= vcpu,
    dependsOn: "processors",
    chip: (text) => `vcpu ≥${text}`,
  },
  min_bandwidth: {
    kind: "bandwidth",
    ...doors("min-bandwidth", "minBandwidthGBs"),
    control: { label: "Min memory GB/s", place: "more" },
    rule: ({ offer }, bandwidth: number, { factsOf }) =>
      (factsOf(offer.gpu.slug)?.memoryBandwidthGBs ?? 0) >= bandwidth,
    dependsOn: "gpu",
    needsFigures: true,
    chip: (text) => `memory ≥${text} GB/s`,
  },
  nvlink: {
    kind: "boolean",
    ...doors("nvlink", "nvlink"),
    control: { label: "NVLink", place: "first" },
    rule: ({ offer }, isWanted: boolean) => offer.nvlinkEnabled === isWanted,
    dependsOn: "machine",
    chip: (text) => (text === "false" ? "no NVLink" : "NVLink"),
  },
  interconnect: {
    kind: "text",
    ...doors("interconnect", "interconnect"),
    control: { label: "Network", place: "more" },
    rule: ({ offer: { interconnect } }, words: string) =>
      typeof interconnect === "string" && interconnect.toLowerCase().includes(words.toLowerCase()),
    dependsOn: "terms",
    chip: (text) => `network ${text}`,
  },
  available: {
    kind: "boolean",
    ...doors("available", "onlyAvailable"),
    control: { label: "Available", place: "first" },
    rule: isOnSale,
    dependsOn: "machine",
    off: false,
    chip: (text) => (text === "false" ? "available or not" : "available"),
  },
  availability: {
    kind: "choices",
    ...doors("availability", "availability"),
    control: {
      label: "Stock",
      place: "more",
      valuesOf: (listing) => [[availabilityOf(listing), availabilityWords(availabilityOf(listing))]],
    },
    values: AVAILABILITIES,
    rule: (listing, words: readonly string[]) => words.includes(availabilityOf(listing)),
    dependsOn: "machine",
    chip: (text) => text.split(",").map(availabilityWords).join(" or "),
  },
  verified: {
    kind: "choice",
    ...doors("verified", "verified"),
    control: { label: "Hosts", place: "more", labels: ["all", "not unverified", "verified only"] },
    values: VERIFIED_FILTERS,
    rule: ({ verified }, wanted: string) => (wanted === "true" ? verified === true : verified !== false),
    dependsOn: "terms",
    off: "any",
    doorDefault: { value: "not-false", leavesOut: "of unverified hosts" },
  },
  seller: {
    kind: "choices",
    ...doors("seller", "seller"),
    control: { label: "Seller", place: "more", valuesOf: values(({ seller }) => (seller === null ? [] : [seller])) },
    values: SELLERS,
    rule: ({ seller }, sellers: readonly string[]) => seller !== null && sellers.includes(seller),
    dependsOn: "terms",
  },
  deployment_type: {
    kind: "choices",
    ...doors("deployment-type", "deploymentType"),
    control: { label: "Kind of instance", place: "more", valuesOf: values(({ offer }) => [offer.deploymentType]) },
    values: DEPLOYMENT_TYPES,
    rule: ({ offer }, types: readonly string[]) => types.includes(offer.deploymentType),
    dependsOn: "terms",
    chip: (text) => text,
  },
  instance_type: {
    kind: "names",
    ...doors("instance-type", "instanceType"),
    control: { label: "Instance type", place: "more" },
    suggestions: ({ instanceType }) => (instanceType === null ? [] : [instanceType]),
    named: "offers",
    rule: ({ instanceType }, types: readonly string[]) =>
      instanceType !== null && types.some((type) => type.toLowerCase() === instanceType.toLowerCase()),
    dependsOn: "instanceType",
    chip: (text) => `type ${text}`,
  },
  image: {
    kind: "text",
    ...doors("image", "image"),
    control: { label: "Image ID", place: "more" },
    named: "images",
    rule: ({ offer, instanceType }, { providers, instanceTypes }: ImageFilter) =>
      providers.includes(offer.provider.name) &&
      imageFits(instanceTypes.get(offer.provider.name), instanceType ?? undefined),
    dependsOn: "image",
  },
  os: {
    kind: "text",
    ...doors("os", "os"),
    control: { label: "OS image", place: "first", imageValuesOf: (image) => [imageSystem(image) ?? []].flat() },
    named: "images",
    of: "image",
    chip: (text) => `image ${text}`,
  },
  cuda: {
    kind: "text",
    ...doors("cuda", "cuda"),
    form: { pattern: /^\d+(?:\.\d+)*$/, reason: "must be a version such as 12 or 12.4" },
    control: { label: "CUDA version", place: "first", imageValuesOf: cudaVersions },
    named: "images",
    of: "image",
    chip: (text) => `CUDA ${text}`,
  },
  spot: {
    kind: "choice",
    ...doors("spot", "spot"),
    control: { label: "Prices", place: "first", labels: ["on demand", "spot", "spot and bids"] },
    values: SPOT_FILTERS,
    rule: ({ spot }, wanted: string) => spot !== null && (wanted === "bid" || spot.kind === "price"),
    dependsOn: "cost",
    off: "false",
    chip: (text) => (text === "true" ? "spot" : text === "bid" ? "spot and bids" : "not spot"),
  },
  max_price: {
    kind: "usd",
    ...doors("max-price", "maxUsdPerGpuHour"),
    control: { label: "Max $/GPU-h", place: "first" },
    rule: ({ offer }, usd: number) => offer.pricePerGpu <= usd,
    dependsOn: "cost",
    chip: (text) => `max ${text}/GPU-h`,
  },
  max_hourly: {
    kind: "usd",
    ...doors("max-hourly", "maxInstanceUsdPerHour"),
    control: { label: "Max $/h", place: "more" },
    rule: ({ offer }, usd: number) => offer.priceHourly <= usd,
    dependsOn: "cost",
    chip: (text) => `max ${text}/h`,
  },
  max_total: {
    kind: "usd",
    ...doors("max-total", "maxUsdPerHour"),
    control: { label: "Max $/h with disk", place: "first" },
    rule: ({ offer }, usd: number, { disk }) =>
      !isDiskUnknown(offer, disk ?? 0) && fromMicros(neededMicros(offer, disk)) <= usd,
    dependsOn: "cost",
    chip: (text) => `max ${text}/h+disk`,
  },
  disk: {
    kind: "gb",
    ...doors("disk", "diskGb"),
    control: {
      label: "Disk, GB",
      place: "query",
      job: { rank: 4, before: "with", after: "GB of disk", example: "100" },
    },
    rule: ({ offer }, neededGb: number) => diskFor(offer, neededGb) !== undefined,
    dependsOn: "storage",
    off: 0,
    chip: (text) => `disk ${text}G`,
  },
  hours: {
    kind: "hours",
    ...doors("hours", "hours"),
    control: { label: "Hours", place: "query", job: { rank: 5, before: "for", after: "hours", example: "24" } },
    of: "budget",
    chip: (text) => `${text} h`,
  },
  budget: {
    kind: "usd",
    ...doors("budget", "budgetUsd"),
    control: { label: "Budget, $", place: "first", job: { rank: 6, before: "on $", example: "50" } },
    rule: ({ offer }, usd: number, { disk, hours = DEFAULT_BUDGET_HOURS }) =>
      !isDiskUnknown(offer, disk ?? 0) && isWithinBudget(neededMicros(offer, disk), { usd, hours }),
    dependsOn: "cost",
    chip: (text, { hours = DEFAULT_BUDGET_HOURS }) => `${text} for ${hours} h`,
  },
  fits: {
    kind: "text",
    ...doors("fits", "fits"),
    control: { label: "Fits model", place: "more", job: { rank: 2, before: "that fit", example: "70b@8" } },
    named: "grammar",
    rule: ({ offer }, model: ModelFilter) => model.matches(offer),
    dependsOn: "machine",
  },
  strict: { kind: "boolean", ...doors("strict", "strict"), off: false },
  sort_by: { kind: "choice", ...doors("sort", "sortBy"), values: ALL_SORT_KEYS },
  sort_order: { kind: "choice", ...doors("order", "sortOrder"), values: SORT_ORDERS },
  page: { kind: "index", ...doors(null, "page") },
  size: { kind: "count", ...doors("limit", "limit"), maximum: MAX_PAGE_SIZE },
} as const satisfies Readonly<Record<string, ListingParameter>>;

/** Name of a parameter in the HTTP API: the one key of everything about it. */
export type ListingParameterName = keyof typeof LISTING_PARAMETERS;
