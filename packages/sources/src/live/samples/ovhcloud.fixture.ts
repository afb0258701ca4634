import type { SampleOutcome } from "../sample-outcome.fixture.js";

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

export const ovhcloud = {
  addons: {
    locale: { currencyCode: "USD", subsidiary: "US" },
    addons: [
      gpuAddon,
      { ...gpuAddon, planCode: "win-l40s-180.consumption" },
      { planCode: "b3-8.consumption", pricings: [] },
    ],
  },
};

export const expected: SampleOutcome = {
  offers: ["2 l40s, $3.6, US-EAST-VA-1 (US), 30 vCPU 180 GB 400 GB disk, 400-400 GB at 0, available"],
  rejections: ["other_terms"],
  skipped: 1,
};
