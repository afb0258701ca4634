import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const voltagepark = {
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

export const expected: SampleOutcome = {
  offers: [
    "4 h100-sxm, $8.36, site-a (ZZ), 104 vCPU 464 GB 9600 GB disk, 9600-9600 GB at 0, available, nvlink",
    "8 h100-sxm, $15.92, site-b (ZZ), 208 vCPU 1000 GB 30000 GB disk, 30000-30000 GB at 0, nvlink",
    "8 h100-sxm, $19.92, site-b (ZZ), 208 vCPU 1000 GB 30000 GB disk, 30000-30000 GB at 0, available, nvlink, InfiniBand",
  ],
  rejections: [],
  skipped: 1,
};
