import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const jarvislabs = {
  server_meta: {
    server_meta: [
      {
        gpu_type: "A100-80GB",
        region: "india-noida-01",
        num_free_devices: 2,
        effective_num_free_devices: 1,
        spot_num_free_devices: 1,
        price_per_hour: 1.49,
        spot_price: 0.89,
        vram: "80",
        cpus_per_gpu: 28,
        ram_per_gpu: 112,
        workload_type: "vm",
        num_gpus: "2",
      },
      {
        gpu_type: "L4",
        region: "india-noida-01",
        num_free_devices: 3,
        price_per_hour: 0.44,
        spot_price: null,
        vram: "24",
        workload_type: "endpoint",
        num_gpus: "8",
      },
    ],
    cpu_meta: { workload_type: "container", combinations: [] },
  },
};

export const expected: SampleOutcome = {
  offers: [
    "1 a100-80gb, $1.49, india-noida-01 (IN), 28 vCPU 112 GB 0 GB disk, 0-0 GB at 0, available, at least",
    "2 a100-80gb, $2.98, india-noida-01 (IN), 56 vCPU 224 GB 0 GB disk, 0-0 GB at 0, at least",
  ],
  rejections: ["other_terms"],
  skipped: 0,
};
