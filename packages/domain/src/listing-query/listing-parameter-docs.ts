import type { ListingParameterName } from "./listing-parameters.js";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../page-size.js";

// What the parameters of the listing query mean, for the documentation of each door.

/** The documentation of a parameter. */
export interface ListingParameterDocs {
  /** For documentation, in sentences. */
  description: string;
  /** For help, at most 60 characters, beginning in lower case. */
  help: string;
  /** For agents, where the name and the kind don't say enough; as short as possible. */
  hint?: string;
  /** Values as people write them. */
  examples: readonly string[];
}

/** The documentation of every parameter of the listing query, by its name in the HTTP API. */
export const LISTING_PARAMETER_DOCS = {
  q: {
    description: "Search words, as in the picker. What they were taken for is in `understood`.",
    help: 'search words, as in the picker: "8xh100 eu", "24g+ <0.5"',
    hint: "Words: 8xh100 eu <$20",
    examples: ["8xh100 eu"],
  },
  gpu: {
    description:
      "GPU names, separated by commas. A family means all of its forms (`h100`), an exact form only itself (`h100-sxm`), as does a slug after `=` (`=h100`).",
    help: 'GPU names: h100, "a100 80gb", 4090; =SLUG for an exact slug',
    hint: "H100, a100 80gb, 4090; =h100 is exact",
    examples: ["h100,h200", "=h100"],
  },
  provider: {
    description: "Providers, separated by commas.",
    help: "providers",
    hint: "AWS, vast",
    examples: ["aws,lambda"],
  },
  not_provider: {
    description: "Providers to leave out, separated by commas.",
    help: "providers to leave out",
    examples: ["aws,lambda"],
  },
  continent: {
    description: "Continents, by name or code. `EU` is Europe; the members of the Union are `country=European Union`.",
    help: 'continents: EU (Europe), "North America", apac',
    hint: "EU is Europe, with the UK and Norway",
    examples: ["Europe,North America"],
  },
  country: {
    description: "Countries, by English name or ISO code, and groups of them: `European Union`, `nordics`.",
    help: 'countries: NO, Finland, nordics, "European Union"',
    hint: "Norway, DE; European Union: the 27 members",
    examples: ["DE,Finland", "European Union"],
  },
  region: {
    description: "Regions, as named by the providers. A region includes its zones.",
    help: 'regions, as named by providers: us-east-1, "Texas, US"',
    hint: "us-east-1",
    examples: ["us-east-1"],
  },
  min_gpu_count: {
    description: "Minimum number of GPUs per instance.",
    help: "minimum GPUs per instance",
    examples: ["8"],
  },
  max_gpu_count: {
    description: "Maximum number of GPUs per instance; must not be below min_gpu_count.",
    help: "maximum GPUs per instance",
    examples: ["8"],
  },
  min_vram: {
    description: "Minimum memory of one GPU, in GB.",
    help: "minimum memory per GPU",
    hint: "Per GPU",
    examples: ["80", "80GB"],
  },
  min_total_vram: {
    description: "Minimum memory of all GPUs together, in GB.",
    help: "minimum memory of all GPUs",
    examples: ["640"],
  },
  min_ram: {
    description: "Minimum RAM of the machine, in GB. Offers with unknown RAM don't match.",
    help: "minimum RAM",
    hint: "Of the machine",
    examples: ["256", "1TB"],
  },
  min_vcpu: {
    description: "Minimum number of virtual CPUs. Offers with an unknown number don't match.",
    help: "minimum virtual CPUs",
    examples: ["32"],
  },
  min_bandwidth: {
    description: "Minimum memory bandwidth of the GPU, in GB/s. GPUs without a published figure don't match.",
    help: "minimum memory bandwidth of a GPU, GB/s",
    examples: ["3000", "3TB/s"],
  },
  nvlink: {
    description: "`true`: only offers whose GPUs are known to be joined by NVLink; `false`: only others.",
    help: "only GPUs connected by NVLink",
    examples: ["true"],
  },
  interconnect: {
    description: "Words in the network between instances, in any case, such as `InfiniBand`.",
    help: "network between instances: infiniband",
    hint: "Between machines: InfiniBand",
    examples: ["InfiniBand"],
  },
  available: {
    description: "`true`: only offers that are in stock or listed. By default all are listed, those sold out last.",
    help: "only offers that are in stock or listed",
    examples: ["true"],
  },
  verified: {
    description:
      "`not-false` leaves out hosts that their marketplace hasn't verified; `true` all that aren't known to be verified; `any` none.",
    help: "hosts of marketplaces (default: not-false)",
    examples: ["not-false"],
  },
  availability: {
    description: "Words of `availability`, separated by commas.",
    help: "whether an offer can be had",
    examples: ["in_stock,listed", "sold_out"],
  },
  seller: {
    description:
      "Who provides the machine: `cloud`, `partner` (a vetted data center of a marketplace) or `host` (an individual).",
    help: "who provides the machine: cloud, partner, host",
    examples: ["cloud,partner"],
  },
  deployment_type: {
    description: "Kind of instance.",
    help: "kind of instance: virtual, container, bare-metal",
    examples: ["virtual"],
  },
  instance_type: {
    description: "Instance types, as the providers call them, in any case.",
    help: "instance types, as named by providers: p5.48xlarge",
    hint: "p5.48xlarge",
    examples: ["p5.48xlarge"],
  },
  image: {
    description: "An OS image that the offer can boot, by id or slug.",
    help: "use this OS image; only offers that can boot it",
    hint: "Id of an OS image",
    examples: ["ubuntu-22.04"],
  },
  os: {
    description: "Words in the name of an OS image that the offer can boot.",
    help: "only offers with an image of this OS: ubuntu-22.04",
    hint: "ubuntu-22.04",
    examples: ["ubuntu-22.04"],
  },
  cuda: {
    description: "CUDA version, or its beginning, of an OS image that the offer can boot.",
    help: "only offers with a CUDA image of this version: 12, 12.4",
    hint: "12.4",
    examples: ["12", "12.4"],
  },
  spot: {
    description:
      "`true`: only offers with a spot price, which then is the price in filters, order and totals; `bid` adds minimum bids.",
    help: "spot prices; bid adds minimum bids",
    hint: "true: by spot price; bid adds minimum bids",
    examples: ["true"],
  },
  max_price: {
    description: "Maximum price of a GPU, in USD per hour.",
    help: "maximum price per GPU-hour",
    examples: ["2.50", "$2"],
  },
  max_hourly: {
    description: "Maximum price of the instance without a disk, in USD per hour.",
    help: "maximum hourly price without the disk",
    hint: "Without the disk",
    examples: ["20"],
  },
  max_total: {
    description:
      "Maximum price of the instance including the disk, in USD per hour. Offers with an unknown disk price don't match.",
    help: "maximum hourly price including the disk",
    hint: "With the disk",
    examples: ["20"],
  },
  disk: {
    description:
      "Required disk, in GB: only offers that have it, priced with it. Those with an unknown disk price come last.",
    help: "disk size, for filtering and pricing",
    hint: "At least; included in the price",
    examples: ["500", "1TB"],
  },
  hours: {
    description: "Hours that the budget must last; alone, it sets `total.forHours`.",
    help: "hours that the budget must last",
    hint: "The budget must last",
    examples: ["24", "3d"],
  },
  budget: {
    description: "Amount in USD that must last for `hours` (default 1), including the disk.",
    help: "amount to spend; also shows the runway",
    examples: ["100"],
  },
  fits: {
    description:
      "A model that fits, with some memory to spare: billions of parameters, bits per weight and tokens of context.",
    help: "only GPUs that a model fits: 70b@8,16k",
    hint: "A model that must fit: 70b@bits,context: 70b@8,16k",
    examples: ["70b@8,16k"],
  },
  strict: { description: "Makes doubtful words an error.", help: "reject doubtful words", examples: ["true"] },
  sort_by: {
    description: "Sort key. Available offers come first; ties put the bigger machine first.",
    help: "sort key",
    hint: "total: with disk; totalVram: of all GPUs; stock: how often had; vramPrice: per GB; last three: per bandwidth, FLOPS",
    examples: ["pricePerGpu"],
  },
  sort_order: { description: "Sort direction: ascending or descending.", help: "sort direction", examples: ["asc"] },
  page: {
    description: "Page number, 0-indexed. A page past the end is empty.",
    help: "page number",
    hint: "From 0",
    examples: ["0"],
  },
  size: {
    description: `Page size, at most ${MAX_PAGE_SIZE}.`,
    help: "maximum number of offers, with --list",
    examples: [String(DEFAULT_PAGE_SIZE)],
  },
} as const satisfies Readonly<Record<ListingParameterName, ListingParameterDocs>>;
