import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const vultr = {
  plans: {
    plans: [
      {
        id: "vcg-l40s-32c-360g-96vram",
        hourly_cost: 3.342,
        ram: 368_640,
        disk: 2400,
        disk_count: 1,
        vcpu_count: 32,
        gpu_vram_gb: 96,
        gpu_type: "NVIDIA_L40S",
        locations: ["ams"],
      },
      {
        id: "vcg-a16-2c-16g-4vram",
        hourly_cost: 0.118,
        ram: 16_384,
        disk: 80,
        disk_count: 1,
        vcpu_count: 2,
        gpu_vram_gb: 4,
        gpu_type: "NVIDIA_A16",
        locations: ["ams"],
      },
    ],
    meta: { total: 2, links: { next: "" } },
  },
  "plans-metal": {
    plans_metal: [
      { id: "vbm-24c-256gb-amd", hourly_cost: 1, ram: 262_144, disk: 480, disk_count: 2, locations: ["ams"] },
      {
        id: "vbm-256c-3072gb-8-mi325x-gpu",
        hourly_cost: 37.2,
        ram: 3_145_728,
        disk: 3576,
        disk_count: 8,
        cpu_threads: 256,
        locations: [],
      },
    ],
  },
  regions: { regions: [{ id: "ams", city: "Amsterdam", country: "NL" }] },
  os: {
    os: [
      { id: 2284, name: "Ubuntu 24.04 LTS x64", arch: "x64", family: "ubuntu" },
      { id: 2136, name: "Debian 12 x64 (bookworm)", arch: "x64", family: "debian" },
      { id: 159, name: "Custom", arch: "x64", family: "iso" },
    ],
    meta: { total: 3, links: { next: "", prev: "" } },
  },
};

export const expected: SampleOutcome = {
  offers: [
    "2 l40s, $3.342, ams (NL), 32 vCPU 360 GB 2400 GB disk, 2400-2400 GB at 0, available",
    "8 mi325x, $37.2, unknown (ZZ), 256 vCPU 3072 GB 28608 GB disk, 28608-28608 GB at 0",
  ],
  rejections: ["fractional_gpu"],
  skipped: 1,
};
