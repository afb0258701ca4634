import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const tensordock = {
  locations: {
    data: {
      locations: [
        {
          id: "loc-1",
          city: "Austin",
          stateprovince: "Texas",
          country: "United States",
          tier: 3,
          gpus: [
            {
              v0Name: "h100-sxm5-80gb",
              displayName: "H100 SXM5 80GB",
              max_count: 2,
              price_per_hr: 2.2,
              resources: { max_vcpus: 128, max_ram_gb: 300, max_storage_gb: 1000 },
              pricing: { per_vcpu_hr: 0.003, per_gb_ram_hr: 0.002, per_gb_storage_hr: 0.000_05 },
            },
            {
              v0Name: "geforcertx4090-pcie-24gb",
              displayName: "NVIDIA GeForce RTX 4090 PCIe 24GB",
              max_count: 1,
              price_per_hr: 0.35,
              resources: { max_vcpus: 16, max_ram_gb: 64, max_storage_gb: 50 },
              pricing: { per_vcpu_hr: 0.003, per_gb_ram_hr: 0.002, per_gb_storage_hr: 0.000_05 },
            },
          ],
        },
        { id: "loc-2", city: "Oslo", stateprovince: "", country: "Norway", tier: 1, gpus: [] },
      ],
    },
  },
};

export const expected: SampleOutcome = {
  // 2.2 + 20 x 0.003 + 80 x 0.002, and twice that.
  offers: [
    "1 h100-sxm, $2.42, Austin, Texas, United States (US), 20 vCPU 80 GB 0 GB disk, 100-1000 GB at 0.00005, available",
    "2 h100-sxm, $4.84, Austin, Texas, United States (US), 40 vCPU 160 GB 0 GB disk, 100-1000 GB at 0.00005, available, nvlink",
  ],
  rejections: ["not_rentable"],
  skipped: 1,
};
