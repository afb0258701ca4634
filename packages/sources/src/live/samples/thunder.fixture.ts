export const thunder = {
  pricing: { pricing: { h100_x2_production: 4.98, unknown_key: 1 } },
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
    },
  },
  status: { specs: { h100_x2_production: "available" } },
};
