import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const thunder = {
  pricing: {
    pricing: {
      h100_x2_production: 4.98,
      a100xl_x1: 0.78,
      // Neither is a machine: a card without its machine, and prices of other things.
      a100xl: 0.78,
      additional_vcpus: 0.04,
      disk_gb: 0.0003,
      snapshot_gb: 0.000_068_49,
      l40s_x1: 1.49,
    },
  },
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
      a100xl_x1: {
        displayName: "A100XL",
        vramGB: 80,
        gpuCount: 1,
        vcpuOptions: [4, 8, 12],
        ramPerVCPUGiB: 8,
        ramCapGiB: 30,
        storageGB: { min: 100, max: 500 },
      },
    },
  },
  status: { specs: { h100_x2_production: "available", a100xl_x1: "unavailable" } },
};

export const expected: SampleOutcome = {
  offers: [
    "2 h100-pcie, $4.98, unknown (ZZ), 18 vCPU 90 GB 0 GB disk, 100-1000 GB at 0.0003, available",
    "1 a100-80gb, $0.78, unknown (ZZ), 4 vCPU 30 GB 0 GB disk, 100-500 GB at 0.0003",
  ],
  rejections: ["missing_value"],
  skipped: 4,
};
