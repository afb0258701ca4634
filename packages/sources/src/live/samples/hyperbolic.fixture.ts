export const hyperbolic = {
  options: [
    {
      id: "option-1",
      costPerHourCents: 1112,
      providerCostPerHourCents: 900,
      gpuCount: 8,
      gpuType: "H100",
      gpuFormFactor: "SXM5",
      region: "us-central-1",
      totalAvailable: 2,
      enabled: true,
    },
    { id: "option-2", costPerHourCents: 139, gpuCount: 1, gpuType: "H100", enabled: false },
  ],
};
