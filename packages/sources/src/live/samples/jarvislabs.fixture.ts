export const jarvislabs = {
  server_meta: {
    server_meta: [
      {
        gpu_type: "A100-80GB",
        region: "india-noida-01",
        num_free_devices: 2,
        effective_num_free_devices: 1,
        spot_num_free_devices: 1,
        price_per_hour: 1.49,
        spot_price: 0.89,
        vram: "80",
        cpus_per_gpu: 28,
        ram_per_gpu: 112,
        workload_type: "vm",
        num_gpus: "2",
      },
      {
        gpu_type: "L4",
        region: "india-noida-01",
        num_free_devices: 3,
        price_per_hour: 0.44,
        spot_price: null,
        vram: "24",
        workload_type: "endpoint",
        num_gpus: "8",
      },
    ],
    cpu_meta: { workload_type: "container", combinations: [] },
  },
};
