import { json, type Replay } from "@gpu-offers/testkit/replay-server";

// Responses of nine providers, each with a few hundred 8x H100 offers at a price that the caller chooses.

const REGIONS = Array.from({ length: 400 }, (_, number) => `site-${number}`);

const rows = <Item>(of: (region: string) => Item): Item[] => REGIONS.map((region) => of(region));

/** By source name: the response to a request, at a price in USD per GPU and hour. */
export const PROVIDERS: Readonly<Record<string, (target: string, price: number) => Replay>> = {
  digitalocean: (_, price) =>
    json({
      sizes: [
        {
          slug: "gpu-h100x8-640gb",
          price_hourly: 8 * price,
          memory: 1_966_080,
          vcpus: 160,
          regions: REGIONS,
          available: true,
          gpu_info: { count: 8, model: "nvidia_h100", vram: { amount: 640, unit: "gib" } },
          disk_info: [{ type: "local", size: { amount: 2_046, unit: "gib" } }],
        },
      ],
      links: {},
      meta: { total: 1 },
    }),
  lambda: (_, price) =>
    json({
      data: {
        gpu_8x_h100_sxm5: {
          instance_type: {
            name: "gpu_8x_h100_sxm5",
            description: "8x H100 (80 GB SXM5)",
            gpu_description: "H100 (80 GB SXM5)",
            price_cents_per_hour: Math.round(800 * price),
            specs: { vcpus: 208, memory_gib: 1_800, storage_gib: 22_528, gpus: 8 },
          },
          regions_with_capacity_available: rows((name) => ({ name, description: name })),
        },
      },
    }),
  verda: (_, price) =>
    json(
      rows((region) => ({
        instance_type: `8H100.80S.176V-${region}`,
        model: "H100",
        name: "H100 SXM5 80GB",
        gpu: { number_of_gpus: 8, description: "8x H100 SXM5 80GB" },
        cpu: { number_of_cores: 176 },
        gpu_memory: { size_in_gigabytes: 640 },
        memory: { size_in_gigabytes: 1_480 },
        storage: { description: "dynamic" },
        price_per_hour: (8 * price).toFixed(2),
        currency: "usd",
        supported_os: ["ubuntu-24.04"],
      })),
    ),
  vultr: (target, price) =>
    target.includes("/regions")
      ? json({ regions: [], meta: { links: { next: "" } } })
      : json({
          plans: [
            {
              id: "vcg-l40s-16c-180g-48vram",
              gpu_type: "NVIDIA_L40S",
              gpu_vram_gb: 48,
              vcpu_count: 16,
              ram: 184_320,
              disk: 1_200,
              disk_count: 1,
              hourly_cost: price,
              locations: target.includes("plans-metal") ? [] : REGIONS,
            },
          ],
          plans_metal: [],
          meta: { links: { next: "" } },
        }),
  gpuai: (_, price) =>
    json({
      data: rows((region) => ({
        offering_id: region,
        gpu_type: "H100 SXM",
        gpu_count: 8,
        price_per_hour: 8 * price,
        tier: "on_demand",
        region,
        available: true,
      })),
      next_cursor: null,
    }),
  hyperbolic: (_, price) =>
    json(
      rows((region) => ({
        id: region,
        costPerHourCents: Math.round(800 * price),
        gpuCount: 8,
        gpuType: "H100",
        gpuFormFactor: "SXM5",
        region,
        totalAvailable: 1,
        enabled: true,
      })),
    ),
  lium: (_, price) =>
    json({
      nodes: rows((id) => ({
        id,
        gpu_model: "NVIDIA H100 80GB HBM3",
        gpu_count: 8,
        available_gpu_count: 8,
        price_per_node_hour: 8 * price,
        tier: "secure",
        country_code: "FI",
      })),
    }),
  shadeform: (_, price) =>
    json({
      instance_types: [
        {
          cloud: "hyperstack",
          shade_instance_type: "H100_sxm5x8",
          hourly_price: Math.round(800 * price),
          deployment_type: "vm",
          configuration: {
            num_gpus: 8,
            gpu_type: "H100",
            interconnect: "sxm5",
            memory_in_gb: 1_920,
            vram_per_gpu_in_gb: 80,
            vcpus: 192,
            storage_in_gb: 100,
            nvlink: true,
          },
          availability: rows((region) => ({ region, available: true, display_name: "US, Wichita, KS" })),
        },
      ],
    }),
  cloudrift: (_, price) =>
    json({
      data: {
        instance_types: [
          {
            brand_short: "H100 SXM",
            variants: rows((name) => ({
              name,
              cost_per_hour: Math.round(800 * price),
              gpu_count: 8,
              cpu_count: 192,
              dram: 2 ** 40,
              disk: 2 ** 41,
              vram: 8 * 80 * 2 ** 30,
              nodes_per_dc: { "us-east-nc-nr-1": 1 },
            })),
          },
        ],
      },
    }),
};
