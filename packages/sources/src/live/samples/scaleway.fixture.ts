import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const scaleway = {
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
  images: {
    images: [
      { id: "0", name: "Ubuntu 24.04 Noble GPU OS 12 (Nvidia)", label: "ubuntu_noble_gpu_os_12", valid_until: null },
      { id: "1", name: "Ubuntu 24.04 Noble Numbat", label: "ubuntu_noble", valid_until: null },
    ],
    total_count: 2,
  },
};

export const expected: SampleOutcome = {
  offers: ["2 h100-pcie, $5.8388, fr-par-1 (FR), 48 vCPU 480 GB 6000 GB disk, 0-0 GB at 0, available, at least"],
  rejections: [],
  skipped: 1,
};
