import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const cloudrift = {
  "instance-types": {
    data: {
      instance_types: [
        {
          brand_short: "RTX 5090",
          variants: [
            {
              name: "rtx59-16c-kn.2",
              cost_per_hour: 130,
              gpu_count: 2,
              cpu_count: 32,
              dram: 137_438_953_472,
              disk: 1_099_511_627_776,
              vram: 68_719_476_736,
              nodes_per_dc: { "us-east-nc-nr-1": 3, "us-west-1": 0 },
            },
            { name: "cpu-only", cost_per_hour: 4, gpu_count: 0 },
          ],
        },
      ],
    },
  },
};

export const expected: SampleOutcome = {
  offers: [
    "2 rtx-5090, $1.3, us-east-nc-nr-1 (US), 32 vCPU 128 GB 1024 GB disk, 1024-1024 GB at 0, available",
    "2 rtx-5090, $1.3, us-west-1 (US), 32 vCPU 128 GB 1024 GB disk, 1024-1024 GB at 0",
  ],
  rejections: [],
  skipped: 1,
};
