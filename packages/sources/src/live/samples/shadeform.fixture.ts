import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const shadeform = {
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
          os_options: ["ubuntu22.04_cuda12.2_shade_os", "ubuntu22.04"],
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

export const expected: SampleOutcome = {
  offers: ["4 rtx-a6000, $2.16, wichita-usa-1 (US), 24 vCPU 192 GB 1024 GB disk, 1024-1024 GB at 0, available"],
  rejections: ["not_a_gpu"],
  skipped: 0,
};
