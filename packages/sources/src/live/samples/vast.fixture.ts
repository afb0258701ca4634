import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const vast = {
  bundles: {
    offers: [
      {
        id: 501,
        machine_id: 77,
        gpu_name: "RTX 4090",
        num_gpus: 2,
        gpu_ram: 24_564,
        cpu_cores: 64,
        cpu_cores_effective: 16,
        cpu_ram: 65_536,
        gpu_frac: 0.25,
        disk_space: 812.7,
        storage_cost: 0.15,
        dph_base: 0.7,
        dph_total: 0.701667,
        geolocation: "Quebec, CA",
        is_bid: false,
        rentable: true,
        rented: false,
        bw_nvlink: 0,
      },
      {
        id: 502,
        machine_id: 78,
        gpu_name: "A100 SXM4",
        num_gpus: 4,
        gpu_ram: 40_960,
        disk_space: 900,
        storage_cost: 0.2,
        dph_base: 3.1,
        geolocation: ", US",
        is_bid: true,
      },
    ],
  },
};

export const expected: SampleOutcome = {
  offers: ["2 rtx-4090, $0.7, Quebec, CA (CA), 16 vCPU 64 GB 0 GB disk, 10-812 GB at 0.000209, available"],
  rejections: ["spot_only"],
  skipped: 0,
};
