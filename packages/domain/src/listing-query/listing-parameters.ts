import type { KindValues, ListingParameter } from "./listing-parameter.js";
import { cudaVersions, imageSystem, type ImageFilter } from "../image/image-filter.js";
import { imageFits } from "../image/os-image.js";
import type { ModelFilter } from "../model/fits.js";
import { fromMicros, isWithinBudget } from "../money/money.js";
import { neededMicros } from "./listing-total.js";
import { AVAILABILITIES, availabilityOf, availabilityWords, isOnSale } from "../offer/availability.js";
import { DEPLOYMENT_TYPES } from "../offer/offer.js";
import { diskFor, isDiskPriced } from "../offer/storage.js";
import { isWithinRegion, regionsOf } from "../place/region.js";
import { LIST_RULES } from "../offer-query/offer-list.js";
import { SORT_ORDERS } from "../offer-query/offer-sort.js";
import { ALL_SORT_KEYS } from "./listing-order.js";
import { MAX_PAGE_SIZE } from "../page-size.js";
import { SELLERS, SPOT_FILTERS, VERIFIED_FILTERS } from "../provider/seller.js";

// The one query of listings: every parameter with its names, its rule, and its control and chip. The HTTP API, the flags of the
// picker and of scripts, the arguments of agents, the index, the facets of the picker and the page are made from this table.
// Descriptions are in listing-parameter-docs.ts: a page in a browser doesn't need them.

/** Longest text of a parameter. */
export const MAX_PARAMETER_LENGTH = 1_000;

/** Maximum number of names in a list. */
export const MAX_NAMES = 50;

/** Hours that a budget must last, unless stated. */
const DEFAULT_BUDGET_HOURS = 1;

/** All parameters, by their names in the HTTP API, in the order of documentation. */
export const LISTING_PARAMETERS = {
  q: {
    kind: "text",
    flag: "text",
    argument: "text",
    control: { label: "Words", place: "query" },
    named: "words",
    chip: (text) => `text ${JSON.stringify(text)}`,
  },
  gpu: {
    kind: "names",
    flag: "gpu",
    argument: "gpu",
    control: { label: "GPU", place: "first", valuesOf: ({ offer: { gpu } }) => [[gpu.slug, gpu.name]] },
    named: "grammar",
    rule: ({ offer }, slugs: readonly string[]) => LIST_RULES.gpu(offer, slugs),
    dependsOn: "gpu",
    chip: (text) => `gpu ${text.replaceAll("=", "")}`,
  },
  provider: {
    kind: "names",
    flag: "provider",
    argument: "provider",
    control: {
      label: "Provider",
      place: "first",
      valuesOf: ({ offer: { provider } }) => [[provider.name, provider.name]],
    },
    named: "providers",
    rule: ({ offer }, providers: readonly string[]) => providers.includes(offer.provider.name),
    dependsOn: "provider",
  },
  not_provider: {
    kind: "names",
    flag: "not-provider",
    argument: "notProvider",
    control: { label: "Not provider", place: "more" },
    suggestions: ({ offer }) => [offer.provider.name],
    named: "providers",
    rule: ({ offer }, providers: readonly string[]) => !providers.includes(offer.provider.name),
    dependsOn: "provider",
    chip: (text) => `not ${text}`,
  },
  continent: {
    kind: "names",
    flag: "continent",
    argument: "continent",
    control: {
      label: "Continent",
      place: "first",
      valuesOf: ({ offer: { regionInfo } }) => [[regionInfo.continent, regionInfo.continent]],
    },
    named: "grammar",
    rule: ({ offer }, continents: readonly string[]) => LIST_RULES.continent(offer, continents),
    dependsOn: "place",
  },
  country: {
    kind: "names",
    flag: "country",
    argument: "country",
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
    flag: "region",
    argument: "region",
    control: {
      label: "Region",
      place: "more",
      valuesOf: ({ offer }) => regionsOf(offer.region).map((name) => [name, name]),
    },
    named: "offers",
    rule: ({ offer }, regions: readonly string[]) => regions.some((region) => isWithinRegion(offer.region, region)),
    dependsOn: "place",
  },
  min_gpu_count: {
    kind: "count",
    flag: "min-gpus",
    argument: "minGpus",
    control: { label: "Min GPUs", place: "first", isOfJob: true },
    rule: ({ offer }, count: number) => LIST_RULES.min_gpu_count(offer, count),
    dependsOn: "machine",
    chip: (text) => `gpus ≥${text}`,
  },
  max_gpu_count: {
    kind: "count",
    flag: "max-gpus",
    argument: "maxGpus",
    control: { label: "Max GPUs", place: "first" },
    rule: ({ offer }, count: number) => LIST_RULES.max_gpu_count(offer, count),
    dependsOn: "machine",
    chip: (text) => `gpus ≤${text}`,
  },
  min_vram: {
    kind: "gb",
    flag: "min-vram",
    argument: "minVramGb",
    control: { label: "Min VRAM, GB", place: "first" },
    rule: ({ offer }, vramGb: number) => offer.gpu.vramGB >= vramGb,
    dependsOn: "gpu",
    chip: (text) => `vram ≥${text}G`,
  },
  min_total_vram: {
    kind: "gb",
    flag: "min-total-vram",
    argument: "minTotalVramGb",
    control: { label: "Min total VRAM, GB", place: "more" },
    rule: ({ offer }, vramGb: number) => offer.gpu.vramGB * offer.gpuCount >= vramGb,
    dependsOn: "machine",
    chip: (text) => `total vram ≥${text}G`,
  },
  min_ram: {
    kind: "gb",
    flag: "min-ram",
    argument: "minRamGb",
    control: { label: "Min RAM, GB", place: "more" },
    rule: ({ offer }, ramGb: number) => offer.specs.ram >= ramGb,
    dependsOn: "memory",
    chip: (text) => `ram ≥${text}G`,
  },
  min_vcpu: {
    kind: "count",
    flag: "min-vcpu",
    argument: "minVcpu",
    control: { label: "Min vCPU", place: "more" },
    rule: ({ offer }, vcpu: number) => offer.specs.vcpu >= vcpu,
    dependsOn: "processors",
    chip: (text) => `vcpu ≥${text}`,
  },
  min_bandwidth: {
    kind: "bandwidth",
    flag: "min-bandwidth",
    argument: "minBandwidthGBs",
    control: { label: "Min memory GB/s", place: "more" },
    rule: ({ offer }, bandwidth: number, { factsOf }) =>
      (factsOf(offer.gpu.slug)?.memoryBandwidthGBs ?? 0) >= bandwidth,
    dependsOn: "gpu",
    chip: (text) => `memory ≥${text} GB/s`,
  },
  nvlink: {
    kind: "boolean",
    flag: "nvlink",
    argument: "nvlink",
    control: { label: "NVLink", place: "first" },
    rule: ({ offer }, isWanted: boolean) => offer.nvlinkEnabled === isWanted,
    dependsOn: "machine",
    chip: (text) => (text === "false" ? "no NVLink" : "NVLink"),
  },
  interconnect: {
    kind: "text",
    flag: "interconnect",
    argument: "interconnect",
    control: { label: "Network", place: "more" },
    rule: ({ offer: { interconnect } }, words: string) =>
      typeof interconnect === "string" && interconnect.toLowerCase().includes(words.toLowerCase()),
    dependsOn: "terms",
    chip: (text) => `network ${text}`,
  },
  available: {
    kind: "boolean",
    flag: "available",
    argument: "onlyAvailable",
    control: { label: "Available", place: "first" },
    rule: isOnSale,
    dependsOn: "machine",
    off: false,
    chip: (text) => (text === "false" ? "available or not" : "available"),
  },
  availability: {
    kind: "choices",
    flag: "availability",
    argument: "availability",
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
    flag: "verified",
    argument: "verified",
    control: { label: "Hosts", place: "more", labels: ["all", "not unverified", "verified only"] },
    values: VERIFIED_FILTERS,
    rule: ({ verified }, wanted: string) => (wanted === "true" ? verified === true : verified !== false),
    dependsOn: "terms",
    off: "any",
    doorDefault: { value: "not-false", leavesOut: "of unverified hosts" },
  },
  seller: {
    kind: "choices",
    flag: "seller",
    argument: "seller",
    control: {
      label: "Seller",
      place: "more",
      valuesOf: ({ seller }) => (seller === null ? [] : [[seller, seller]]),
    },
    values: SELLERS,
    rule: ({ seller }, sellers: readonly string[]) => seller !== null && sellers.includes(seller),
    dependsOn: "terms",
  },
  deployment_type: {
    kind: "choices",
    flag: "deployment-type",
    argument: "deploymentType",
    control: {
      label: "Kind of instance",
      place: "more",
      valuesOf: ({ offer: { deploymentType } }) => [[deploymentType, deploymentType]],
    },
    values: DEPLOYMENT_TYPES,
    rule: ({ offer }, types: readonly string[]) => types.includes(offer.deploymentType),
    dependsOn: "terms",
    chip: (text) => text,
  },
  instance_type: {
    kind: "names",
    flag: "instance-type",
    argument: "instanceType",
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
    flag: "image",
    argument: "image",
    control: { label: "Image ID", place: "more" },
    named: "images",
    rule: ({ offer, instanceType }, { providers, instanceTypes }: ImageFilter) =>
      providers.includes(offer.provider.name) &&
      imageFits(instanceTypes.get(offer.provider.name), instanceType ?? undefined),
    dependsOn: "image",
  },
  os: {
    kind: "text",
    flag: "os",
    argument: "os",
    control: { label: "OS image", place: "first", imageValuesOf: (image) => [imageSystem(image) ?? []].flat() },
    named: "images",
    of: "image",
    chip: (text) => `image ${text}`,
  },
  cuda: {
    kind: "text",
    flag: "cuda",
    argument: "cuda",
    form: { pattern: /^\d+(?:\.\d+)*$/, reason: "must be a version such as 12 or 12.4" },
    control: { label: "CUDA version", place: "first", imageValuesOf: cudaVersions },
    named: "images",
    of: "image",
    chip: (text) => `CUDA ${text}`,
  },
  spot: {
    kind: "choice",
    flag: "spot",
    argument: "spot",
    control: { label: "Prices", place: "first", labels: ["on demand", "spot", "spot and bids"] },
    values: SPOT_FILTERS,
    rule: ({ spot }, wanted: string) => spot !== null && (wanted === "bid" || spot.kind === "price"),
    off: "false",
    chip: (text) => (text === "true" ? "spot" : text === "bid" ? "spot and bids" : "not spot"),
  },
  max_price: {
    kind: "usd",
    flag: "max-price",
    argument: "maxUsdPerGpuHour",
    control: { label: "Max $/GPU-h", place: "first" },
    rule: ({ offer }, usd: number) => offer.pricePerGpu <= usd,
    chip: (text) => `max ${text}/GPU-h`,
  },
  max_hourly: {
    kind: "usd",
    flag: "max-hourly",
    argument: "maxInstanceUsdPerHour",
    control: { label: "Max $/h", place: "more" },
    rule: ({ offer }, usd: number) => offer.priceHourly <= usd,
    chip: (text) => `max ${text}/h`,
  },
  max_total: {
    kind: "usd",
    flag: "max-total",
    argument: "maxUsdPerHour",
    control: { label: "Max $/h with disk", place: "first" },
    rule: ({ offer }, usd: number, { disk }) =>
      isDiskPriced(offer, disk) && fromMicros(neededMicros(offer, disk)) <= usd,
    chip: (text) => `max ${text}/h+disk`,
  },
  disk: {
    kind: "gb",
    flag: "disk",
    argument: "diskGb",
    control: { label: "Disk, GB", place: "query", isOfJob: true },
    rule: ({ offer }, neededGb: number) => diskFor(offer, neededGb) !== undefined,
    dependsOn: "storage",
    off: 0,
    chip: (text) => `disk ${text}G`,
  },
  hours: {
    kind: "hours",
    flag: "hours",
    argument: "hours",
    control: { label: "Hours", place: "query", isOfJob: true },
    of: "budget",
    chip: (text) => `${text} h`,
  },
  budget: {
    kind: "usd",
    flag: "budget",
    argument: "budgetUsd",
    control: { label: "Budget, $", place: "first", isOfJob: true },
    rule: ({ offer }, usd: number, { disk, hours = DEFAULT_BUDGET_HOURS }) =>
      isDiskPriced(offer, disk) && isWithinBudget(neededMicros(offer, disk), { usd, hours }),
    chip: (text, { hours = DEFAULT_BUDGET_HOURS }) => `${text} for ${hours} h`,
  },
  fits: {
    kind: "text",
    flag: "fits",
    argument: "fits",
    control: { label: "Fits model", place: "more", isOfJob: true },
    named: "grammar",
    rule: ({ offer }, model: ModelFilter) => model.matches(offer),
    dependsOn: "machine",
  },
  strict: {
    kind: "boolean",
    flag: "strict",
    argument: "strict",
    off: false,
  },
  sort_by: {
    kind: "choice",
    flag: "sort",
    argument: "sortBy",
    values: ALL_SORT_KEYS,
  },
  sort_order: {
    kind: "choice",
    flag: "order",
    argument: "sortOrder",
    values: SORT_ORDERS,
  },
  page: {
    kind: "index",
    flag: null,
    argument: "page",
  },
  size: {
    kind: "count",
    flag: "limit",
    argument: "limit",
    maximum: MAX_PAGE_SIZE,
  },
} as const satisfies Readonly<Record<string, ListingParameter>>;

/** Name of a parameter in the HTTP API: the one key of everything about it. */
export type ListingParameterName = keyof typeof LISTING_PARAMETERS;

/** Typed value of a parameter. */
export type ListingParameterValue<Name extends ListingParameterName> = ValueOf<(typeof LISTING_PARAMETERS)[Name]>;

type ValueOf<Row extends ListingParameter> = Row extends { kind: "choice"; values: readonly (infer Choice)[] }
  ? Choice
  : Row extends { kind: "choices"; values: readonly (infer Choice)[] }
    ? readonly Choice[]
    : KindValues[Row["kind"]];

/** All names, in the order of documentation. */
// The keys of a literal are the names of its type
export const LISTING_PARAMETER_NAMES = Object.keys(LISTING_PARAMETERS) as ListingParameterName[];

/** The parameters that filter, in the order of documentation. */
export const LISTING_FILTER_NAMES = LISTING_PARAMETER_NAMES.filter((name) => "control" in LISTING_PARAMETERS[name]);

/** Whether a name is that of a parameter. */
export function isListingParameter(name: string): name is ListingParameterName {
  return Object.hasOwn(LISTING_PARAMETERS, name);
}

/** The filter that a parameter sets: `image` for `os` and `cuda`, `budget` for `hours`, else itself. */
export function filterOf(name: ListingParameterName): ListingParameterName {
  const row = LISTING_PARAMETERS[name];
  return "of" in row ? row.of : name;
}

/** All parameters that set a filter. */
export function parametersOf(filter: ListingParameterName): ListingParameterName[] {
  return LISTING_PARAMETER_NAMES.filter((name) => filterOf(name) === filter);
}
