import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const gpuai = {
  pricing: {
    data: [
      {
        offering_id: "of-1",
        gpu_type: "A100 80GB SXM",
        gpu_count: 8,
        price_per_hour: 11.6,
        tier: "on_demand",
        region: "us-east",
        available: 3,
        capacity_class: "secure",
        deployment_type: "container",
        cpu_cores: 192,
        ram_gb: 1996,
        storage_gb: 2000,
        instance_disk_gb: 100,
        disk_configurable: true,
        disk_price_per_gb_hour: 0.000_28,
      },
      {
        offering_id: "of-3",
        gpu_type: "b300",
        gpu_count: 8,
        price_per_hour: 50.62,
        tier: "on_demand",
        region: "eu-east",
        available: 0,
        capacity_class: "community",
        deployment_type: "vm",
        cpu_cores: 224,
        ram_gb: 1920,
        storage_gb: 1000,
        instance_disk_gb: 1000,
        disk_configurable: false,
        disk_price_per_gb_hour: 0,
      },
      { offering_id: "of-2", gpu_type: "H100", gpu_count: 1, price_per_hour: 0.9, tier: "spot" },
      { offering_id: "of-1", gpu_type: "A100 80GB SXM", gpu_count: 8, price_per_hour: 11.6, tier: "on_demand" },
    ],
    next_cursor: null,
  },
};

export const expected: SampleOutcome = {
  offers: [
    "8 a100-sxm-80gb, $11.6, us-east (US), 192 vCPU 1996 GB 0 GB disk, 100-2000 GB at 0.00028, available, nvlink",
    "8 b300, $50.62, eu-east (ZZ), 224 vCPU 1920 GB 1000 GB disk, 1000-1000 GB at 0, nvlink",
  ],
  rejections: ["spot_only"],
  skipped: 1,
};
