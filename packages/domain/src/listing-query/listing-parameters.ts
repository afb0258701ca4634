import type { ListingFilterKey } from "./listing-filter.js";
import { SELLERS, SPOT_FILTERS, VERIFIED_FILTERS } from "../provider/seller.js";
import { DEPLOYMENT_TYPES } from "../offer/offer.js";
import { ALL_SORT_KEYS, SORT_ORDERS } from "../offer-query/offer-sort.js";
import { MAX_PAGE_SIZE } from "../page-size.js";
import type { QuantityKind } from "../text/quantity.js";

// The one query of listings: every parameter with its name on each door, and its kind. The HTTP API, the flags of the picker
// and of scripts, the arguments of agents and the address of the page are made from this table. Descriptions are in
// listing-parameter-docs.ts: a page in a browser doesn't need them.

/** Longest text of a parameter. */
export const MAX_PARAMETER_LENGTH = 1_000;

/** Maximum number of names in a list. */
export const MAX_NAMES = 50;

/** How a parameter is written. */
type ParameterKind =
  /** Names separated by commas, or a list of them. */
  | "names"
  /** The same for regions, whose names have commas: `Texas, US`. */
  | "regions"
  | "boolean"
  | "choice"
  /** Several of the choices. */
  | "choices"
  | "text"
  | QuantityKind;

/** A parameter of the listing query. */
export interface ListingParameter {
  /** How its value is written. */
  kind: ParameterKind;
  /** Name of the flag in the picker and in scripts, without `--`; null if they have none. */
  flag: string | null;
  /** Name of the agents' argument; null if they have none. */
  argument: string | null;
  /** The filter that it sets; null if it filters nothing. */
  filter: ListingFilterKey | null;
  /** Allowed values of a choice. */
  values?: readonly string[];
  /** Maximum of a quantity. */
  maximum?: number;
}

/** All parameters, by their names in the HTTP API, in the order of documentation. */
export const LISTING_PARAMETERS = {
  q: {
    kind: "text",
    flag: "text",
    argument: "text",
    filter: "search",
  },
  gpu: {
    kind: "names",
    flag: "gpu",
    argument: "gpu",
    filter: "gpu",
  },
  provider: {
    kind: "names",
    flag: "provider",
    argument: "provider",
    filter: "provider",
  },
  continent: {
    kind: "names",
    flag: "continent",
    argument: "continent",
    filter: "continent",
  },
  country: {
    kind: "names",
    flag: "country",
    argument: "country",
    filter: "country",
  },
  region: {
    kind: "regions",
    flag: "region",
    argument: "region",
    filter: "region",
  },
  min_gpu_count: {
    kind: "count",
    flag: "min-gpus",
    argument: "minGpus",
    filter: "minGpuCount",
  },
  max_gpu_count: {
    kind: "count",
    flag: "max-gpus",
    argument: "maxGpus",
    filter: "maxGpuCount",
  },
  min_vram: {
    kind: "gb",
    flag: "min-vram",
    argument: "minVramGb",
    filter: "minVramGb",
  },
  min_total_vram: {
    kind: "gb",
    flag: "min-total-vram",
    argument: "minTotalVramGb",
    filter: "minTotalVramGb",
  },
  min_ram: {
    kind: "gb",
    flag: "min-ram",
    argument: "minRamGb",
    filter: "minRamGb",
  },
  min_vcpu: {
    kind: "count",
    flag: "min-vcpu",
    argument: "minVcpu",
    filter: "minVcpu",
  },
  min_bandwidth: {
    kind: "bandwidth",
    flag: "min-bandwidth",
    argument: "minBandwidthGBs",
    filter: "minBandwidthGBs",
  },
  nvlink: {
    kind: "boolean",
    flag: "nvlink",
    argument: "nvlink",
    filter: "nvlink",
  },
  interconnect: {
    kind: "text",
    flag: "interconnect",
    argument: "interconnect",
    filter: "interconnect",
  },
  available: {
    kind: "boolean",
    flag: "available",
    argument: "onlyAvailable",
    filter: "available",
  },
  verified: {
    kind: "choice",
    flag: "verified",
    argument: "verified",
    filter: "verified",
    values: VERIFIED_FILTERS,
  },
  seller: {
    kind: "choices",
    flag: "seller",
    argument: "seller",
    filter: "seller",
    values: SELLERS,
  },
  deployment_type: {
    kind: "choices",
    flag: "deployment-type",
    argument: "deploymentType",
    filter: "deploymentType",
    values: DEPLOYMENT_TYPES,
  },
  instance_type: {
    kind: "names",
    flag: "instance-type",
    argument: "instanceType",
    filter: "instanceType",
  },
  image: {
    kind: "text",
    flag: "image",
    argument: "image",
    filter: "image",
  },
  os: {
    kind: "text",
    flag: "os",
    argument: "os",
    filter: "image",
  },
  cuda: {
    kind: "text",
    flag: "cuda",
    argument: "cuda",
    filter: "image",
  },
  spot: {
    kind: "choice",
    flag: "spot",
    argument: "spot",
    filter: "spot",
    values: SPOT_FILTERS,
  },
  max_price: {
    kind: "usd",
    flag: "max-price",
    argument: "maxUsdPerGpuHour",
    filter: "maxPricePerGpu",
  },
  max_hourly: {
    kind: "usd",
    flag: "max-hourly",
    argument: "maxInstanceUsdPerHour",
    filter: "maxPriceHourly",
  },
  max_total: {
    kind: "usd",
    flag: "max-total",
    argument: "maxUsdPerHour",
    filter: "maxTotalHourly",
  },
  disk: {
    kind: "gb",
    flag: "disk",
    argument: "diskGb",
    filter: "diskGb",
  },
  hours: {
    kind: "hours",
    flag: "hours",
    argument: "hours",
    filter: "budget",
  },
  budget: {
    kind: "usd",
    flag: "budget",
    argument: "budgetUsd",
    filter: "budget",
  },
  fits: {
    kind: "text",
    flag: "fits",
    argument: "fits",
    filter: "fits",
  },
  sort_by: {
    kind: "choice",
    flag: "sort",
    argument: "sortBy",
    filter: null,
    values: ALL_SORT_KEYS,
  },
  sort_order: {
    kind: "choice",
    flag: "order",
    argument: "sortOrder",
    filter: null,
    values: SORT_ORDERS,
  },
  page: {
    kind: "index",
    flag: null,
    argument: "page",
    filter: null,
  },
  size: {
    kind: "count",
    flag: "limit",
    argument: "limit",
    filter: null,
    maximum: MAX_PAGE_SIZE,
  },
} as const satisfies Readonly<Record<string, ListingParameter>>;

/** Name of a parameter in the HTTP API. */
export type ListingParameterName = keyof typeof LISTING_PARAMETERS;

/** All names, in the order of documentation. */
// The keys of a literal are the names of its type
export const LISTING_PARAMETER_NAMES = Object.keys(LISTING_PARAMETERS) as ListingParameterName[];

/** Typed value of a parameter. */
export type ListingParameterValue<Name extends ListingParameterName> = ValueOf<(typeof LISTING_PARAMETERS)[Name]>;

type ValueOf<Row extends ListingParameter> = Row extends { kind: "boolean" }
  ? boolean
  : Row extends { kind: "text" }
    ? string
    : Row extends { kind: "names" | "regions" }
      ? string[]
      : Row extends { kind: "choice"; values: readonly (infer Choice)[] }
        ? Choice
        : Row extends { kind: "choices"; values: readonly (infer Choice)[] }
          ? Choice[]
          : number;

/** The parameter with a flag or an argument of this name; undefined if there is none. */
export function findParameter(door: "flag" | "argument", name: string): ListingParameterName | undefined {
  return LISTING_PARAMETER_NAMES.find((parameter) => LISTING_PARAMETERS[parameter][door] === name);
}
