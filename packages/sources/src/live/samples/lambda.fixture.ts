export const lambda = {
  "instance-types": {
    data: {
      gpu_2x_h100_sxm5: {
        instance_type: {
          name: "gpu_2x_h100_sxm5",
          description: "2x H100 (80 GB SXM5)",
          gpu_description: "H100 (80 GB SXM5)",
          price_cents_per_hour: 638,
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
          specs: { vcpus: 64, memory_gib: 432, storage_gib: 4096, gpus: 1 },
        },
        regions_with_capacity_available: [],
      },
    },
  },
};
