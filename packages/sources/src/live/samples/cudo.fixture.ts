import type { SampleOutcome } from "../sample-outcome.fixture.js";

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

export const expected: SampleOutcome = {
  // 0.40 + 12 x 0.0020 + 48 x 0.0030 + 0.0040, and of two GPUs twice that without the address.
  offers: [
    "1 a40, $0.572, se-stockholm-1 (SE), 12 vCPU 48 GB 0 GB disk, 10-900 GB at 0.0001, available, at least",
    "2 a40, $1.14, se-stockholm-1 (SE), 24 vCPU 96 GB 0 GB disk, 10-900 GB at 0.0001, at least",
  ],
  rejections: [],
  skipped: 1,
};
