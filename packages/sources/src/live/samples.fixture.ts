import { zipSync } from "fflate";
import type { LiveContext, LiveItem, LiveReply, LiveRequest, LiveSource } from "./live-source.js";
import { runRequests } from "./live-run.js";
import { readReplies, recordedContext } from "./recordings.fixture.js";

// Small responses in the form of each source's API, written for the tests: each has a known price and a row that is no offer.

/** Bodies by source and part. A text stands for itself, bytes for an archive, anything else is written as JSON. */
export type Bodies = Readonly<Record<string, unknown>>;

const vast = {
  bundles: {
    offers: [
      {
        id: 501,
        machine_id: 77,
        gpu_name: "RTX 4090",
        num_gpus: 2,
        gpu_ram: 24_564,
        cpu_cores: 64,
        cpu_cores_effective: 16,
        cpu_ram: 262_144,
        gpu_frac: 0.25,
        disk_space: 812.7,
        storage_cost: 0.15,
        dph_base: 0.7,
        dph_total: 0.701667,
        geolocation: "Quebec, CA",
        is_bid: false,
        rentable: true,
        rented: false,
        bw_nvlink: 0,
      },
      {
        id: 502,
        machine_id: 78,
        gpu_name: "A100 SXM4",
        num_gpus: 4,
        gpu_ram: 40_960,
        disk_space: 900,
        storage_cost: 0.2,
        dph_base: 3.1,
        geolocation: ", US",
        is_bid: true,
      },
    ],
  },
};

const runpod = {
  gpuTypes: {
    data: {
      gpuTypes: [
        {
          id: "NVIDIA L40S",
          memoryInGb: 48,
          maxGpuCount: 8,
          maxGpuCountSecureCloud: 4,
          maxGpuCountCommunityCloud: 2,
          secureCloud: true,
          communityCloud: true,
          securePrice: 0.86,
          communityPrice: 0.7,
        },
        {
          id: "NVIDIA A2",
          memoryInGb: 16,
          secureCloud: false,
          communityCloud: false,
          securePrice: 0.5,
          communityPrice: 0.5,
        },
      ],
      dataCenters: [
        { id: "US-KS-2", listed: true },
        { id: "EU-RO-1", listed: false },
      ],
      countryCodes: ["SE", "AR"],
    },
  },
  stock: {
    data: {
      gpuTypes: [
        {
          id: "NVIDIA L40S",
          n1: { uninterruptablePrice: 0.86, minVcpu: 16, minMemory: 62, stockStatus: "High" },
          n2: { uninterruptablePrice: 1.72, minVcpu: 32, minMemory: 124, stockStatus: "Low" },
          n4: { uninterruptablePrice: null, minVcpu: null, minMemory: null, stockStatus: null },
          n8: null,
        },
      ],
    },
  },
};

const verda = {
  "instance-types": [
    {
      instance_type: "2H200.141S.88V",
      name: "H200 SXM5 141GB",
      model: "H200",
      gpu: { number_of_gpus: 2 },
      cpu: { number_of_cores: 88 },
      gpu_memory: { size_in_gigabytes: 282 },
      memory: { size_in_gigabytes: 370 },
      storage: { description: "dynamic" },
      price_per_hour: "5.98",
      spot_price: "1.99",
      currency: "usd",
      supported_os: ["ubuntu-24.04"],
      best_for: ["NVLINK"],
    },
    {
      instance_type: "CPU.8V.32G",
      gpu: { number_of_gpus: 0 },
      price_per_hour: "0.20",
    },
  ],
  locations: [{ code: "FIN-03", name: "Finland 3", country_code: "FI" }],
  "instance-availability": [{ location_code: "FIN-03", availabilities: ["2H200.141S.88V", "CPU.8V.32G"] }],
};

const vultr = {
  plans: {
    plans: [
      {
        id: "vcg-l40s-32c-360g-96vram",
        hourly_cost: 3.342,
        ram: 368_640,
        disk: 2400,
        disk_count: 1,
        vcpu_count: 32,
        gpu_vram_gb: 96,
        gpu_type: "NVIDIA_L40S",
        locations: ["ams"],
      },
      {
        id: "vcg-a16-2c-16g-4vram",
        hourly_cost: 0.118,
        ram: 16_384,
        disk: 80,
        disk_count: 1,
        vcpu_count: 2,
        gpu_vram_gb: 4,
        gpu_type: "NVIDIA_A16",
        locations: ["ams"],
      },
    ],
    meta: { total: 2, links: { next: "" } },
  },
  "plans-metal": {
    plans_metal: [
      { id: "vbm-24c-256gb-amd", hourly_cost: 1, ram: 262_144, disk: 480, disk_count: 2, locations: ["ams"] },
      {
        id: "vbm-256c-3072gb-8-mi325x-gpu",
        hourly_cost: 37.2,
        ram: 3_145_728,
        disk: 3576,
        disk_count: 8,
        cpu_threads: 256,
        locations: [],
      },
    ],
  },
  regions: { regions: [{ id: "ams", city: "Amsterdam", country: "NL" }] },
};

const linode = {
  "linode/types": {
    data: [
      {
        id: "g2-gpu-rtx4000a2-s",
        label: "RTX4000 Ada x2 Small",
        gpus: 2,
        price: { hourly: 1.04 },
        region_prices: [{ id: "br-gru", hourly: 1.4 }],
        memory: 32_768,
        disk: 524_288,
        vcpus: 8,
        class: "gpu",
      },
      {
        id: "g6-nanode-1",
        label: "Nanode 1GB",
        gpus: 0,
        price: { hourly: 0.0075 },
        region_prices: [],
        class: "nanode",
      },
    ],
    page: 1,
    pages: 1,
    results: 2,
  },
  regions: {
    data: [
      { id: "br-gru", country: "br", label: "Sao Paulo, BR", capabilities: ["Linodes", "GPU Linodes"] },
      { id: "us-ord", country: "us", label: "Chicago, IL", capabilities: ["Linodes"] },
    ],
    page: 1,
    pages: 1,
    results: 2,
  },
  "regions/availability": {
    data: [
      { region: "br-gru", plan: "g2-gpu-rtx4000a2-s", available: false },
      { region: "us-ord", plan: "g2-gpu-rtx4000a2-s", available: true },
      { region: "us-ord", plan: "g6-nanode-1", available: true },
    ],
    page: 1,
    pages: 1,
    results: 3,
  },
};

const gpuAddon = {
  planCode: "l40s-180.consumption",
  pricings: [{ price: 360_000_000, formattedPrice: "$3.60", intervalUnit: "none" }],
  configurations: [{ name: "region", values: ["US-EAST-VA-1"] }],
  blobs: {
    commercial: { brick: "gpu" },
    technical: {
      name: "l40s-180",
      os: { family: "linux" },
      cpu: { cores: 30 },
      memory: { size: 180 },
      gpu: { model: "L40S", number: 2, memory: { size: 48 } },
      storage: { disks: [{ capacity: 400, number: 1 }] },
    },
  },
};
const ovhcloud = {
  addons: {
    locale: { currencyCode: "USD", subsidiary: "US" },
    addons: [
      gpuAddon,
      { ...gpuAddon, planCode: "win-l40s-180.consumption" },
      { planCode: "b3-8.consumption", pricings: [] },
    ],
  },
};

const oci = {
  products: {
    lastUpdated: "2026-11-01T00:00:00.000Z",
    items: [
      {
        partNumber: "B1",
        displayName: "OCI - Compute - GPU - H200",
        metricName: "GPU Per Hour",
        serviceCategory: "Compute - GPU",
        currencyCodeLocalizations: [{ currencyCode: "USD", prices: [{ model: "PAY_AS_YOU_GO", value: 9.5 }] }],
      },
      {
        partNumber: "B2",
        displayName: "Roving Edge Device - GPU",
        metricName: "Resource Possession Per Day",
        serviceCategory: "Roving Edge Infrastructure",
        currencyCodeLocalizations: [],
      },
    ],
  },
};

const azurePrice = {
  armSkuName: "Standard_NC48ads_A100_v4",
  armRegionName: "westus3",
  retailPrice: 7.346,
  unitOfMeasure: "1 Hour",
  meterName: "NC48ads A100 v4",
  productName: "Virtual Machines NCads A100 v4 Series",
  type: "Consumption",
  currencyCode: "USD",
  serviceName: "Virtual Machines",
};
const azure = {
  prices: {
    BillingCurrency: "USD",
    Items: [
      azurePrice,
      { ...azurePrice, retailPrice: 1.5, meterName: "NC48ads A100 v4 Spot" },
      { ...azurePrice, retailPrice: 9.1, productName: "Virtual Machines NCads A100 v4 Series Windows" },
      { ...azurePrice, retailPrice: 31_000, type: "Reservation", reservationTerm: "1 Year" },
      { ...azurePrice, armSkuName: "Standard_NP10s" },
    ],
    NextPageLink: null,
  },
};

const awsRow = {
  price: "3.9120000000",
  "Instance Type": "g5.12xlarge",
  "Instance Family": "GPU instance",
  vCPU: "48",
  Memory: "192 GiB",
  Storage: "1 x 3800 GB NVMe SSD",
  "Operating System": "Linux",
};
const aws = {
  prices: {
    manifest: { currencyCode: "USD", hawkFilePublicationDate: "2026-11-20T00:00:00Z" },
    regions: {
      "US East (Ohio)": {
        "g5 12xlarge": awsRow,
        "m7i large": { ...awsRow, "Instance Type": "m7i.large", "Instance Family": "General purpose" },
        "trn1 2xlarge": { ...awsRow, "Instance Type": "trn1.2xlarge" },
      },
    },
  },
};

const lambda = {
  "instance-types": {
    data: {
      gpu_2x_h100_sxm5: {
        instance_type: {
          name: "gpu_2x_h100_sxm5",
          description: "2x H100 (80 GB SXM5)",
          gpu_description: "H100 (80 GB SXM5)",
          price_cents_per_hour: 638,
          specs: { vcpus: 52, memory_gib: 450, storage_gib: 5632, gpus: 2 },
        },
        regions_with_capacity_available: [{ name: "us-west-3", description: "Utah, USA" }],
      },
      gpu_1x_gh200: {
        instance_type: {
          name: "gpu_1x_gh200",
          description: "1x GH200 (96 GB)",
          gpu_description: "GH200 (96 GB)",
          price_cents_per_hour: 149,
          specs: { vcpus: 64, memory_gib: 432, storage_gib: 4096, gpus: 1 },
        },
        regions_with_capacity_available: [],
      },
    },
  },
};

const shadeform = {
  types: {
    instance_types: [
      {
        cloud: "massedcompute",
        shade_instance_type: "A6000x4",
        hourly_price: 216,
        deployment_type: "vm",
        configuration: {
          num_gpus: 4,
          gpu_type: "A6000",
          interconnect: "pcie",
          memory_in_gb: 192,
          vram_per_gpu_in_gb: 48,
          vcpus: 24,
          storage_in_gb: 1024,
          nvlink: false,
        },
        availability: [{ region: "wichita-usa-1", available: true, display_name: "US, Wichita, KS" }],
      },
      {
        cloud: "denvr",
        shade_instance_type: "GAUDI2x8",
        hourly_price: 1000,
        configuration: { num_gpus: 8, gpu_type: "GAUDI2" },
        availability: [],
      },
    ],
  },
};

const primeItem = {
  cloudId: "gpu_8x_a100",
  gpuType: "A100_40GB",
  socket: "SXM4",
  provider: "lambdalabs",
  region: "united_states",
  dataCenter: null,
  country: "US",
  gpuCount: 8,
  gpuMemory: 40,
  disk: { minCount: 50, defaultCount: 100, maxCount: 1000, pricePerUnit: 0.000_15, defaultIncludedInPrice: false },
  vcpu: { defaultCount: 124 },
  memory: { defaultCount: 1800 },
  interconnect: 200,
  interconnectType: "InfiniBand",
  stockStatus: "Available",
  security: "secure_cloud",
  prices: { onDemand: 10.32, communityPrice: null, isVariable: null, currency: "USD" },
  isSpot: null,
};
const primeintellect = {
  gpus: {
    items: [
      primeItem,
      { ...primeItem, isSpot: true },
      { ...primeItem, cloudId: "x", prices: { onDemand: 99_999_999 } },
    ],
    totalCount: 3,
  },
};

const lium = {
  executors: [
    {
      id: "host-1",
      machine_name: "NVIDIA GeForce RTX 4090",
      price_per_gpu: 0.300_000_000_000_000_04,
      gpu_count: 8,
      available_gpu_count: 3,
      min_gpu_count_for_rental: 1,
      tier: "secure",
      specs: { is_spot: false },
      location: { country_code: "DE", region_name: "Hesse", city: "Frankfurt" },
    },
    {
      id: "host-2",
      machine_name: "NVIDIA H200",
      price_per_gpu: 1,
      gpu_count: 8,
      available_gpu_count: 8,
      tier: "spot",
      specs: { is_spot: true },
    },
  ],
};

const cloudrift = {
  "instance-types": {
    data: {
      instance_types: [
        {
          brand_short: "RTX 5090",
          variants: [
            {
              name: "rtx59-16c-kn.2",
              cost_per_hour: 130,
              gpu_count: 2,
              cpu_count: 32,
              dram: 137_438_953_472,
              disk: 1_099_511_627_776,
              vram: 68_719_476_736,
              nodes_per_dc: { "us-east-nc-nr-1": 3, "us-west-1": 0 },
            },
            { name: "cpu-only", cost_per_hour: 4, gpu_count: 0 },
          ],
        },
      ],
    },
  },
};

const voltagepark = {
  presets: [
    {
      id: "preset-4",
      resources: { gpus: { "h100-sxm5-80gb": { count: 4 } }, vcpu_count: 104, ram_gb: 464, storage_gb: 9600 },
      compute_rate_hourly: "7.960000",
      storage_rate_hourly: "0.400000",
      location_ids_with_availability: ["site-a"],
    },
    {
      id: "cpu",
      resources: { gpus: {} },
      compute_rate_hourly: "0.1",
      storage_rate_hourly: "0",
      location_ids_with_availability: [],
    },
  ],
  "bare-metal": {
    results: [
      {
        id: "site-b",
        gpu_count_ethernet: 0,
        gpu_price_ethernet: "1.990000",
        gpu_count_infiniband: 64,
        gpu_price_infiniband: "2.490000",
        specs_per_node: { gpu_model: "h100-sxm5-80gb", gpu_count: 8, cpu_count: 208, ram_gb: 1000, storage_gb: 30_000 },
      },
    ],
  },
};

const hyperbolic = {
  options: [
    {
      id: "option-1",
      costPerHourCents: 1112,
      providerCostPerHourCents: 900,
      gpuCount: 8,
      gpuType: "H100",
      gpuFormFactor: "SXM5",
      region: "us-central-1",
      totalAvailable: 2,
      enabled: true,
    },
    { id: "option-2", costPerHourCents: 139, gpuCount: 1, gpuType: "H100", enabled: false },
  ],
};

const gpuai = {
  pricing: {
    data: [
      {
        offering_id: "of-1",
        gpu_type: "A100 80GB SXM",
        gpu_count: 8,
        price_per_hour: 11.6,
        tier: "on_demand",
        region: "us-east",
        available: true,
      },
      { offering_id: "of-2", gpu_type: "H100", gpu_count: 1, price_per_hour: 0.9, tier: "spot" },
      { offering_id: "of-1", gpu_type: "A100 80GB SXM", gpu_count: 8, price_per_hour: 11.6, tier: "on_demand" },
    ],
    next_cursor: null,
  },
};

const thunder = {
  pricing: { pricing: { h100_x2_production: 4.98, unknown_key: 1 } },
  specs: {
    specs: {
      h100_x2_production: {
        displayName: "H100 PCIe",
        vramGB: 80,
        gpuCount: 2,
        mode: "production",
        vcpuOptions: [36, 18],
        ramPerVCPUGiB: 5,
        storageGB: { min: 100, max: 1000 },
      },
    },
  },
  status: { specs: { h100_x2_production: "available" } },
};

const hyperstackFlavor = {
  name: "n3-A100x4",
  cpu: 124,
  ram: 480,
  disk: 100,
  ephemeral: 3200,
  gpu_count: 4,
  stock_available: true,
};
const hyperstack = {
  flavors: {
    data: [
      {
        gpu: "A100-80G-PCIe",
        region_name: "NORWAY-1",
        flavors: [hyperstackFlavor, { ...hyperstackFlavor, name: "n3-A100x4-spot" }],
      },
      { gpu: "", region_name: "NORWAY-1", flavors: [{ name: "n1-cpu-small", gpu_count: 0 }] },
    ],
  },
  pricebook: [{ name: "A100-80G-PCIe", value: "1.35", original_value: "1.40" }],
};

const digitalocean = {
  sizes: {
    sizes: [
      {
        slug: "gpu-h200x8-1128gb",
        price_hourly: 27.52,
        memory: 1_966_080,
        vcpus: 192,
        disk: 2046,
        regions: ["atl1"],
        available: true,
        gpu_info: { count: 8, model: "nvidia_h200", vram: { amount: 1128, unit: "gib" } },
        disk_info: [
          { type: "local", size: { amount: 2046, unit: "gib" } },
          { type: "scratch", size: { amount: 40_960, unit: "gib" } },
        ],
      },
      { slug: "s-1vcpu-1gb", price_hourly: 0.009, memory: 1024, vcpus: 1, regions: ["atl1"], available: true },
    ],
    links: {},
    meta: { total: 2 },
  },
};

const latitude = {
  plans: {
    data: [
      {
        id: "plan_1",
        attributes: {
          slug: "g3-l40s-medium",
          specs: {
            cpu: { cores: 32, count: 2 },
            memory: { total: 768 },
            drives: [{ count: 2, size: "3.8TB", type: "NVME" }],
            gpu: { count: 4, type: "NVIDIA L40S 48GB" },
          },
          regions: [
            {
              name: "United States",
              locations: { available: ["DAL", "NYC"], in_stock: ["NYC"] },
              pricing: { USD: { hour: 6.2 }, BRL: { hour: 31 } },
            },
          ],
        },
      },
      { id: "plan_2", attributes: { slug: "c3-small", specs: { gpu: {} }, regions: [] } },
    ],
    meta: {},
  },
};

const scaleway = {
  ecb: {
    dataSets: [
      { series: { "0:0:0:0:0": { observations: { "0": [0.85] } }, "0:1:0:0:0": { observations: { "0": [1.16, 0] } } } },
    ],
    structure: {
      dimensions: {
        series: [
          { id: "FREQ", values: [{ id: "D" }] },
          { id: "CURRENCY", values: [{ id: "GBP" }, { id: "USD" }] },
        ],
        observation: [{ id: "TIME_PERIOD", values: [{ id: "2026-11-20" }] }],
      },
    },
  },
  "products/servers": {
    servers: {
      "H100-2-80G": {
        hourly_price: 5.0334,
        ncpus: 48,
        ram: 515_396_075_520,
        gpu: 2,
        gpu_info: { gpu_manufacturer: "NVIDIA", gpu_name: "H100", gpu_memory: 85_899_345_920 },
        mig_profile: null,
        scratch_storage_max_size: 6_000_000_000_000,
        end_of_service: false,
      },
      "DEV1-S": { hourly_price: 0.01, ncpus: 2, ram: 2_147_483_648, gpu: 0, gpu_info: null },
    },
  },
  "products/servers/availability": {
    servers: { "H100-2-80G": { availability: "scarce" }, "DEV1-S": { availability: "available" } },
  },
};

const skypilot = {
  vms: [
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region",
    "gpu-h200-sxm_8gpu-128vcpu-1600gb,128.0,1600.0,H200,8,,28.0,,eu-north1",
    "cpu-d3_4vcpu-16gb,4.0,16.0,,,,0.1,,eu-north1",
    "",
  ].join("\n"),
  commits: [{ commit: { committer: { date: "2026-11-02T07:00:00Z" } } }],
};

const gpuhuntCsv = [
  "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags",
  "a2-ultragpu-2g,us-central1-a,10.13,24,340.0,2,A100,80.0,False,,nvidia,",
  "a2-ultragpu-2g,us-central1-a,4.01,24,340.0,2,A100,80.0,True,,nvidia,",
  "n2-standard-4,us-central1-a,0.19,4,16.0,0,,,False,,,",
  "",
].join("\n");
const gpuhunt = {
  version: "20261121-6\n",
  catalog: zipSync({ "gcp.csv": new TextEncoder().encode(gpuhuntCsv) }, { mtime: "2026-11-21" }),
};

/** Responses of every source, by its name. */
export const samples: Readonly<Record<string, Bodies>> = {
  vast,
  runpod,
  verda,
  vultr,
  linode,
  ovhcloud,
  oci,
  azure,
  aws,
  lambda,
  shadeform,
  primeintellect,
  lium,
  cloudrift,
  voltagepark,
  hyperbolic,
  gpuai,
  thunder,
  hyperstack,
  digitalocean,
  latitude,
  scaleway,
  skypilot,
  gpuhunt,
};

/** A context in which every source has something to read: conversion is on, and there is one scope. */
export function sampleContext(source: LiveSource, settings: LiveContext["settings"] = {}): LiveContext {
  const scopes = { runpod: ["secure US-KS-2"], skypilot: ["nebius"], gpuhunt: ["gcp"] }[source.name];
  const first = scopes ?? source.scopes?.defaults.slice(0, 1);
  return {
    ...recordedContext,
    settings: { ...(first === undefined ? {} : { scopes: first }), convert: "ecb", ...settings },
  };
}

/** What a source reads when each of its requests gets the body of its part; a part without one is missing. */
export async function readBodies(
  source: LiveSource,
  bodies: Bodies,
  context: LiveContext = sampleContext(source),
): Promise<LiveItem[]> {
  const { replies } = await runRequests(source, context, async (request) => replyOf(request, bodies));
  return readReplies(source, replies, context);
}

function replyOf(request: LiveRequest, bodies: Bodies): LiveReply {
  const body = bodies[request.part];
  return body === undefined
    ? { request, failure: "There is no such body.", missing: true }
    : { request, status: 200, headers: {}, body: bytesOf(body) };
}

/** A body as it comes over the network. */
export function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}
