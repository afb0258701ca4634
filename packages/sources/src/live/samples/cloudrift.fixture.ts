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
