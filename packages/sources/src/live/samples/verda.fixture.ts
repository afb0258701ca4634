import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const verda = {
  "instance-types": [
    {
      instance_type: "2H200.141S.88V",
      name: "H200 SXM5 141GB",
      model: "H200",
      gpu: { number_of_gpus: 2 },
      cpu: { number_of_cores: 88 },
      gpu_memory: { size_in_gigabytes: 282 },
      memory: { size_in_gigabytes: 370 },
      storage: { description: "dynamic" },
      price_per_hour: "5.98",
      spot_price: "1.99",
      currency: "usd",
      supported_os: ["ubuntu-24.04", "ubuntu-24.04-cuda-13.0-open-docker"],
      best_for: ["NVLINK"],
    },
    {
      instance_type: "CPU.8V.32G",
      gpu: { number_of_gpus: 0 },
      price_per_hour: "0.20",
    },
  ],
  locations: [{ code: "FIN-03", name: "Finland 3", country_code: "FI" }],
  "instance-availability": [{ location_code: "FIN-03", availabilities: ["2H200.141S.88V", "CPU.8V.32G"] }],
};

export const expected: SampleOutcome = {
  offers: ["2 h200-sxm, $5.98, FIN-03 (FI), 88 vCPU 370 GB 0 GB disk, 0-0 GB at 0, available, nvlink, at least"],
  rejections: [],
  skipped: 1,
};
