import type { SampleOutcome } from "../sample-outcome.fixture.js";

const image = (family: string, name: string, architecture: string, region: string) => ({
  id: `${family} ${region}`,
  name,
  family,
  version: "1",
  architecture,
  region: { name: region },
});

export const lambda = {
  "instance-types": {
    data: {
      gpu_2x_h100_sxm5: {
        instance_type: {
          name: "gpu_2x_h100_sxm5",
          description: "2x H100 (80 GB SXM5)",
          gpu_description: "H100 (80 GB SXM5)",
          price_cents_per_hour: 638,
          architecture: "x86_64",
          specs: { vcpus: 52, memory_gib: 450, storage_gib: 5632, gpus: 2 },
        },
        regions_with_capacity_available: [{ name: "us-west-3", description: "Utah, USA" }],
      },
      gpu_1x_gh200: {
        instance_type: {
          name: "gpu_1x_gh200",
          description: "1x GH200 (96 GB)",
          gpu_description: "GH200 (96 GB)",
          price_cents_per_hour: 149,
          architecture: "arm64",
          specs: { vcpus: 64, memory_gib: 432, storage_gib: 4096, gpus: 1 },
        },
        regions_with_capacity_available: [],
      },
    },
  },
  images: {
    data: [
      image("lambda-stack-24-04", "Lambda Stack 24.04", "x86_64", "us-west-3"),
      image("lambda-stack-24-04", "Lambda Stack 24.04", "arm64", "us-east-3"),
      image("ubuntu-24-04", "Ubuntu Server 24.04", "x86_64", "us-west-3"),
      image("ubuntu-24-04", "Ubuntu Server 24.04", "x86_64", "us-east-1"),
    ],
  },
};

export const expected: SampleOutcome = {
  offers: [
    "2 h100-sxm, $6.38, us-west-3 (US), 52 vCPU 450 GB 5632 GB disk, 5632-5632 GB at 0, available, nvlink",
    "1 gh200-96gb, $1.49, unknown (ZZ), 64 vCPU 432 GB 4096 GB disk, 4096-4096 GB at 0",
  ],
  rejections: [],
  skipped: 0,
};
