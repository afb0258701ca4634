import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const runpod = {
  gpuTypes: {
    data: {
      gpuTypes: [
        {
          id: "NVIDIA L40S",
          memoryInGb: 48,
          maxGpuCount: 8,
          maxGpuCountSecureCloud: 4,
          maxGpuCountCommunityCloud: 2,
          secureCloud: true,
          communityCloud: true,
          securePrice: 0.86,
          communityPrice: 0.7,
        },
        {
          id: "NVIDIA A2",
          memoryInGb: 16,
          secureCloud: false,
          communityCloud: false,
          securePrice: 0.5,
          communityPrice: 0.5,
        },
      ],
      dataCenters: [
        { id: "US-KS-2", listed: true },
        { id: "EU-RO-1", listed: false },
      ],
      countryCodes: ["SE", "AR"],
    },
  },
  stock: {
    data: {
      gpuTypes: [
        {
          id: "NVIDIA L40S",
          n1: { uninterruptablePrice: 0.86, minVcpu: 16, minMemory: 62, stockStatus: "High" },
          n2: { uninterruptablePrice: 1.72, minVcpu: 32, minMemory: 124, stockStatus: "Low" },
          n4: { uninterruptablePrice: null, minVcpu: null, minMemory: null, stockStatus: null },
          n8: null,
        },
      ],
    },
  },
};

export const expected: SampleOutcome = {
  offers: [
    "1 l40s, $0.86, US-KS-2 (US), 16 vCPU 62 GB 0 GB disk, 10-2000 GB at 0.000137, available",
    "2 l40s, $1.72, US-KS-2 (US), 32 vCPU 124 GB 0 GB disk, 10-2000 GB at 0.000137, available",
    "1 l40s, $0.7, unknown (ZZ), 0 vCPU 0 GB 0 GB disk, 10-2000 GB at 0.000137",
    "2 l40s, $1.4, unknown (ZZ), 0 vCPU 0 GB 0 GB disk, 10-2000 GB at 0.000137",
  ],
  rejections: ["not_rentable"],
  skipped: 0,
};
