import type { ListingFilterKey } from "./listing-filter.js";
import { SELLERS, SPOT_FILTERS, VERIFIED_FILTERS } from "./seller.js";
import { DEPLOYMENT_TYPES } from "./offer.js";
import { ALL_SORT_KEYS, SORT_ORDERS } from "./offer-sort.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "./page-size.js";
import { isPlainText } from "./plain-text.js";
import { readQuantity, type QuantityKind } from "./quantity.js";
import type { ListListingsQuery } from "./schema-types.js";

// The one query of listings: every parameter with its name on each door, its kind, and its description. The HTTP API, the
// flags of the picker and of scripts, and the arguments of agents are made from this table.

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
  /** For documentation, in sentences. */
  description: string;
  /** For help, at most 60 characters, beginning in lower case. */
  help: string;
  /** For agents, where the name and the kind don't say enough; as short as possible. */
  hint?: string;
  /** Values as people write them. */
  examples: readonly string[];
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
    description: "Search words, as in the picker. What they were taken for is in `understood`.",
    help: 'search words, as in the picker: "8xh100 eu", "24g+ <0.5"',
    hint: "Search words: 8xh100 eu <$20",
    examples: ["8xh100 eu"],
  },
  gpu: {
    kind: "names",
    flag: "gpu",
    argument: "gpu",
    filter: "gpu",
    description:
      "GPU names, separated by commas. A family means all of its forms (`h100`), an exact form only itself (`h100-sxm`), and so does a slug after an equals sign (`=h100`).",
    help: 'GPU names: h100, "a100 80gb", 4090; =SLUG for an exact slug',
    hint: "H100, a100 80gb, 4090; =h100 is exact",
    examples: ["h100,h200", "=h100"],
  },
  provider: {
    kind: "names",
    flag: "provider",
    argument: "provider",
    filter: "provider",
    description: "Providers, separated by commas.",
    help: "providers",
    hint: "AWS, vast",
    examples: ["aws,lambda"],
  },
  continent: {
    kind: "names",
    flag: "continent",
    argument: "continent",
    filter: "continent",
    description:
      "Continents, by name or code. `EU` is Europe, with Norway and the United Kingdom; the members of the Union are `country=European Union`.",
    help: 'continents: EU (Europe), "North America", apac',
    hint: "EU is Europe, the continent, with the UK and Norway",
    examples: ["Europe,North America"],
  },
  country: {
    kind: "names",
    flag: "country",
    argument: "country",
    filter: "country",
    description: "Countries, by English name or ISO code, and groups of them: `European Union`, `nordics`.",
    help: 'countries: NO, Finland, nordics, "European Union"',
    hint: "Norway, DE; European Union: the 27 members",
    examples: ["DE,Finland", "European Union"],
  },
  region: {
    kind: "regions",
    flag: "region",
    argument: "region",
    filter: "region",
    description: "Regions, as named by the providers. A region includes its zones.",
    help: 'regions, as named by providers: us-east-1, "Texas, US"',
    hint: "us-east-1",
    examples: ["us-east-1"],
  },
  min_gpu_count: {
    kind: "count",
    flag: "min-gpus",
    argument: "minGpus",
    filter: "minGpuCount",
    description: "Minimum number of GPUs per instance.",
    help: "minimum GPUs per instance",
    examples: ["8"],
  },
  max_gpu_count: {
    kind: "count",
    flag: "max-gpus",
    argument: "maxGpus",
    filter: "maxGpuCount",
    description: "Maximum number of GPUs per instance; must not be below min_gpu_count.",
    help: "maximum GPUs per instance",
    examples: ["8"],
  },
  min_vram: {
    kind: "gb",
    flag: "min-vram",
    argument: "minVramGb",
    filter: "minVramGb",
    description: "Minimum memory of one GPU, in GB.",
    help: "minimum memory per GPU",
    hint: "Per GPU",
    examples: ["80", "80GB"],
  },
  min_total_vram: {
    kind: "gb",
    flag: "min-total-vram",
    argument: "minTotalVramGb",
    filter: "minTotalVramGb",
    description: "Minimum memory of all GPUs together, in GB.",
    help: "minimum memory of all GPUs",
    examples: ["640"],
  },
  min_ram: {
    kind: "gb",
    flag: "min-ram",
    argument: "minRamGb",
    filter: "minRamGb",
    description: "Minimum RAM of the machine, in GB. Offers with unknown RAM don't match.",
    help: "minimum RAM",
    hint: "Of the machine",
    examples: ["256", "1TB"],
  },
  min_vcpu: {
    kind: "count",
    flag: "min-vcpu",
    argument: "minVcpu",
    filter: "minVcpu",
    description: "Minimum number of virtual CPUs. Offers with an unknown number don't match.",
    help: "minimum virtual CPUs",
    examples: ["32"],
  },
  min_bandwidth: {
    kind: "bandwidth",
    flag: "min-bandwidth",
    argument: "minBandwidthGBs",
    filter: "minBandwidthGBs",
    description: "Minimum memory bandwidth of the GPU, in GB/s. GPUs without a published figure don't match.",
    help: "minimum memory bandwidth of a GPU, GB/s",
    examples: ["3000", "3TB/s"],
  },
  nvlink: {
    kind: "boolean",
    flag: "nvlink",
    argument: "nvlink",
    filter: "nvlink",
    description: "`true`: only offers whose GPUs are known to be joined by NVLink; `false`: only others.",
    help: "only GPUs connected by NVLink",
    examples: ["true"],
  },
  interconnect: {
    kind: "text",
    flag: "interconnect",
    argument: "interconnect",
    filter: "interconnect",
    description: "Words in the network between instances, in any case, such as `InfiniBand`.",
    help: "network between instances: infiniband",
    hint: "Between machines: InfiniBand",
    examples: ["InfiniBand"],
  },
  available: {
    kind: "boolean",
    flag: "available",
    argument: "onlyAvailable",
    filter: "available",
    description: "`true`: only available offers. By default all are listed, the available ones first.",
    help: "only available offers",
    examples: ["true"],
  },
  verified: {
    kind: "choice",
    flag: "verified",
    argument: "verified",
    filter: "verified",
    description:
      "`not-false` leaves out hosts that their marketplace hasn't verified; `true` leaves out all that aren't known to be verified; `any` leaves out none.",
    help: "hosts of marketplaces: not-false (default), true or any",
    hint: "Hosts of marketplaces; not-false unless set",
    examples: ["not-false"],
    values: VERIFIED_FILTERS,
  },
  seller: {
    kind: "choices",
    flag: "seller",
    argument: "seller",
    filter: "seller",
    description:
      "Who provides the machine: `cloud` its own, `partner` a vetted data center of a marketplace, `host` an individual.",
    help: "who provides the machine: cloud, partner, host",
    hint: "cloud: its own; partner: data center of a marketplace; host: an individual",
    examples: ["cloud,partner"],
    values: SELLERS,
  },
  deployment_type: {
    kind: "choices",
    flag: "deployment-type",
    argument: "deploymentType",
    filter: "deploymentType",
    description: "Kind of instance.",
    help: "kind of instance: virtual, container, bare-metal",
    examples: ["virtual"],
    values: DEPLOYMENT_TYPES,
  },
  instance_type: {
    kind: "names",
    flag: "instance-type",
    argument: "instanceType",
    filter: "instanceType",
    description: "Instance types, as the providers call them, in any case.",
    help: "instance types, as named by providers: p5.48xlarge",
    hint: "p5.48xlarge",
    examples: ["p5.48xlarge"],
  },
  image: {
    kind: "text",
    flag: "image",
    argument: "image",
    filter: "image",
    description: "An OS image that the offer can boot, by id or slug.",
    help: "use this OS image; only offers that can boot it",
    hint: "Id of an OS image",
    examples: ["ubuntu-22.04"],
  },
  os: {
    kind: "text",
    flag: "os",
    argument: "os",
    filter: "image",
    description: "Words in the name of an OS image that the offer can boot.",
    help: "only offers with an image of this OS: ubuntu-22.04",
    hint: "ubuntu-22.04",
    examples: ["ubuntu-22.04"],
  },
  cuda: {
    kind: "text",
    flag: "cuda",
    argument: "cuda",
    filter: "image",
    description: "CUDA version, or its beginning, of an OS image that the offer can boot.",
    help: "only offers with a CUDA image of this version: 12, 12.4",
    hint: "12.4",
    examples: ["12", "12.4"],
  },
  spot: {
    kind: "choice",
    flag: "spot",
    argument: "spot",
    filter: "spot",
    description:
      "`true`: only offers with a spot price, which then is the price in filters, order and totals; `bid` adds minimum bids.",
    help: "spot prices: true, or bid to add minimum bids",
    hint: "true: by spot price; bid adds minimum bids",
    examples: ["true"],
    values: SPOT_FILTERS,
  },
  max_price: {
    kind: "usd",
    flag: "max-price",
    argument: "maxUsdPerGpuHour",
    filter: "maxPricePerGpu",
    description: "Maximum price of a GPU, in USD per hour.",
    help: "maximum price per GPU-hour",
    examples: ["2.50", "$2"],
  },
  max_hourly: {
    kind: "usd",
    flag: "max-hourly",
    argument: "maxInstanceUsdPerHour",
    filter: "maxPriceHourly",
    description: "Maximum price of the instance without a disk, in USD per hour.",
    help: "maximum hourly price without the disk",
    hint: "Without the disk",
    examples: ["20"],
  },
  max_total: {
    kind: "usd",
    flag: "max-total",
    argument: "maxUsdPerHour",
    filter: "maxTotalHourly",
    description:
      "Maximum price of the instance including the disk, in USD per hour. Offers with an unknown disk price don't match.",
    help: "maximum hourly price including the disk",
    hint: "With the disk",
    examples: ["20"],
  },
  disk: {
    kind: "gb",
    flag: "disk",
    argument: "diskGb",
    filter: "diskGb",
    description:
      "Required disk, in GB: only offers that have it, priced with it. Offers with an unknown disk price follow all others.",
    help: "disk size, for filtering and pricing",
    hint: "At least; included in the price",
    examples: ["500", "1TB"],
  },
  hours: {
    kind: "hours",
    flag: "hours",
    argument: "hours",
    filter: "budget",
    description: "Hours that the budget must last; alone, it sets `total.forHours`.",
    help: "hours that the budget must last",
    hint: "The budget must last",
    examples: ["24", "3d"],
  },
  budget: {
    kind: "usd",
    flag: "budget",
    argument: "budgetUsd",
    filter: "budget",
    description: "Amount in USD that must last for `hours` (default 1), including the disk.",
    help: "amount to spend; also shows the runway",
    examples: ["100"],
  },
  fits: {
    kind: "text",
    flag: "fits",
    argument: "fits",
    filter: "fits",
    description:
      "A model that fits, with some memory to spare: billions of parameters, and optionally bits per weight and tokens of context.",
    help: "only GPUs that a model fits: 70b@8,16k",
    hint: "A model that must fit: parameters@bits,context tokens: 70b@8,16k",
    examples: ["70b@8,16k"],
  },
  sort_by: {
    kind: "choice",
    flag: "sort",
    argument: "sortBy",
    filter: null,
    description: "Sort key. Available offers come first; ties put the bigger machine first.",
    help: "sort key",
    hint: "total: with the disk; vramPrice: per GB of GPU memory; the last three: per bandwidth and FLOPS",
    examples: ["pricePerGpu"],
    values: ALL_SORT_KEYS,
  },
  sort_order: {
    kind: "choice",
    flag: "order",
    argument: "sortOrder",
    filter: null,
    description: "Sort direction: ascending or descending.",
    help: "sort direction",
    examples: ["asc"],
    values: SORT_ORDERS,
  },
  page: {
    kind: "index",
    flag: null,
    argument: "page",
    filter: null,
    description: "Page number, 0-indexed. A page past the end is empty, with the correct totals.",
    help: "page number",
    hint: "From 0",
    examples: ["0"],
  },
  size: {
    kind: "count",
    flag: "limit",
    argument: "limit",
    filter: null,
    description: `Page size, at most ${MAX_PAGE_SIZE}.`,
    help: "maximum number of offers, with --list",
    examples: [String(DEFAULT_PAGE_SIZE)],
    maximum: MAX_PAGE_SIZE,
  },
} as const satisfies Readonly<Record<string, ListingParameter>>;

/** Name of a parameter in the HTTP API. */
export type ListingParameterName = keyof typeof LISTING_PARAMETERS;

/** All names, in the order of documentation. */
// The keys of a literal are the names of its type
export const LISTING_PARAMETER_NAMES = Object.keys(LISTING_PARAMETERS) as ListingParameterName[];

/** A query of listings with typed values, by the names of the HTTP API. What is undefined has no effect. */
export type ListingQuery = Omit<ListListingsQuery, "page" | "size"> & {
  /** Page number, 0-indexed; default: 0. */
  page?: number | undefined;
  /** Listings in a page, 1 to 100; default: 25. */
  size?: number | undefined;
};

/** A parameter's value as read from a text, or a clause that says what it must be. */
export type ReadParameter =
  | {
      ok: true;
      /** The value. */
      value: unknown;
    }
  | {
      ok: false;
      /** What it must be: a clause. */
      reason: string;
    };

/** Commas also occur in names of places, before a space and words without digits and hyphens: `Texas, US`. */
const BETWEEN_REGIONS = /,(?! [^\d,-]*(?:,|$))/;

/** Reads the text of a parameter, as in a URL or after a flag. */
export function readParameter(name: ListingParameterName, text: string): ReadParameter {
  const parameter: ListingParameter = LISTING_PARAMETERS[name];
  const { kind, values = [], maximum } = parameter;
  if (text.length > MAX_PARAMETER_LENGTH || !isPlainText(text)) {
    return { ok: false, reason: `must be printable text of at most ${MAX_PARAMETER_LENGTH} characters` };
  }
  switch (kind) {
    case "text":
      return text.trim() === "" ? { ok: false, reason: "must not be empty" } : { ok: true, value: text.trim() };
    case "boolean":
      return text === "true" || text === "false"
        ? { ok: true, value: text === "true" }
        : { ok: false, reason: "must be true or false" };
    case "choice":
      return values.includes(text) ? { ok: true, value: text } : { ok: false, reason: choiceReason(values) };
    case "names":
      return readItems(text.split(","));
    case "regions":
      return readItems(text.split(BETWEEN_REGIONS));
    case "choices": {
      const items = readItems(text.split(","));
      const isKnown = items.ok && items.value.every((item) => values.includes(item));
      return isKnown || !items.ok ? items : { ok: false, reason: choiceReason(values) };
    }
    case "count":
    case "index":
    case "gb":
    case "bandwidth":
    case "usd":
    case "hours": {
      const read = readQuantity(kind, text);
      return maximum !== undefined && (!read.ok || read.value > maximum)
        ? { ok: false, reason: `must be a whole number from 1 to ${maximum}` }
        : read;
    }
  }
}

function choiceReason(values: readonly string[]): string {
  return `must be one of ${values.join(", ")}`;
}

function readItems(parts: readonly string[]): { ok: true; value: string[] } | { ok: false; reason: string } {
  const items = [...new Set(parts.map((part) => part.trim()))];
  if (items.includes("")) {
    return { ok: false, reason: "must not have an empty item" };
  }
  return items.length > MAX_NAMES
    ? { ok: false, reason: `must have at most ${MAX_NAMES} items` }
    : { ok: true, value: items };
}

/** The parameter with a flag or an argument of this name; undefined if there is none. */
export function findParameter(door: "flag" | "argument", name: string): ListingParameterName | undefined {
  return LISTING_PARAMETER_NAMES.find((parameter) => LISTING_PARAMETERS[parameter][door] === name);
}
