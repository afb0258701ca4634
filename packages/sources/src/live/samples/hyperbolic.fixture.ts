import type { SampleOutcome } from "../sample-outcome.fixture.js";

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
      machineType: "bare-metal",
      connectionType: "infiniband",
      nodes: [{ cpuModel: "Intel Xeon 8558", gpuCount: 8, cpuCount: 96, ramGb: 2000, storageGb: 24_960 }],
    },
    {
      id: "option-3",
      costPerHourCents: 160,
      gpuCount: 1,
      gpuType: "H100",
      gpuFormFactor: "PCIE",
      region: "eu-north-6",
      enabled: true,
      machineType: "virtual-machine",
      connectionType: "ethernet",
      ethernetVariant: "rocev2",
      nodes: [{ gpuCount: 1, vcpuCount: 28, ramGb: 180, storageGb: 850 }],
    },
    { id: "option-2", costPerHourCents: 139, gpuCount: 1, gpuType: "H100", enabled: false },
  ],
};

export const expected: SampleOutcome = {
  offers: [
    "8 h100-sxm, $11.12, us-central-1 (US), 96 vCPU 2000 GB 24960 GB disk, 24960-24960 GB at 0, available, nvlink, InfiniBand",
    "1 h100-pcie, $1.6, eu-north-6 (ZZ), 28 vCPU 180 GB 850 GB disk, 850-850 GB at 0, available, RoCE",
  ],
  rejections: ["not_rentable"],
  skipped: 0,
};
