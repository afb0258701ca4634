export const cudo = {
  "machine-types": {
    machineTypes: [
      {
        dataCenterId: "se-stockholm-1",
        machineType: "ice-lake-a40",
        gpuModel: "A40 (compute mode)",
        minVcpuPerMemoryGib: 0.25,
        maxVcpuPerMemoryGib: 1,
        minVcpuPerGpu: 1,
        maxVcpuPerGpu: 12,
        vcpuPriceHr: { value: "0.0020" },
        memoryGibPriceHr: { value: "0.0030" },
        gpuPriceHr: { value: "0.40" },
        minStorageGibPriceHr: { value: "0.0001" },
        ipv4PriceHr: { value: "0.0040" },
        maxVcpuFree: 20,
        maxMemoryGibFree: 400,
        maxGpuFree: 2,
        maxStorageGibFree: 900,
      },
      {
        dataCenterId: "se-stockholm-1",
        machineType: "ice-lake",
        gpuModel: "",
        vcpuPriceHr: { value: "0.0020" },
        memoryGibPriceHr: { value: "0.0030" },
        gpuPriceHr: { value: "0" },
        minStorageGibPriceHr: { value: "0.0001" },
        ipv4PriceHr: { value: "0.0040" },
      },
    ],
  },
};
