import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const lium = {
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

export const expected: SampleOutcome = {
  offers: [
    "1 rtx-4090, $0.3, Frankfurt, Hesse, DE (DE), 0 vCPU 0 GB 0 GB disk, 0-0 GB at 0, available, at least",
    "3 rtx-4090, $0.9, Frankfurt, Hesse, DE (DE), 0 vCPU 0 GB 0 GB disk, 0-0 GB at 0, available, at least",
  ],
  rejections: ["spot_only"],
  skipped: 0,
};
