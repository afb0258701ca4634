import type { SampleOutcome } from "../sample-outcome.fixture.js";

const primeItem = {
  cloudId: "gpu_8x_a100",
  gpuType: "A100_40GB",
  socket: "SXM4",
  provider: "lambdalabs",
  region: "united_states",
  dataCenter: null,
  country: "US",
  gpuCount: 8,
  gpuMemory: 40,
  disk: { minCount: 50, defaultCount: 100, maxCount: 1000, pricePerUnit: 0.000_15, defaultIncludedInPrice: false },
  vcpu: { defaultCount: 124 },
  memory: { defaultCount: 1800 },
  interconnect: 200,
  interconnectType: "InfiniBand",
  stockStatus: "Available",
  security: "secure_cloud",
  prices: { onDemand: 10.32, communityPrice: null, isVariable: null, currency: "USD" },
  isSpot: null,
  images: ["ubuntu_22_cuda_12", "cuda_12_4_pytorch_2_6", "custom_template"],
};

export const primeintellect = {
  gpus: {
    items: [
      primeItem,
      { ...primeItem, isSpot: true },
      { ...primeItem, cloudId: "x", prices: { onDemand: 99_999_999 } },
    ],
    totalCount: 3,
  },
};

export const expected: SampleOutcome = {
  offers: [
    "8 a100-sxm-40gb, $10.32, united_states (US), 124 vCPU 1800 GB 0 GB disk, 50-1000 GB at 0.00015, available, nvlink, InfiniBand 200 Gbps",
  ],
  rejections: ["spot_only", "bad_price"],
  skipped: 0,
};
