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
