import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const digitalocean = {
  sizes: {
    sizes: [
      {
        slug: "gpu-h200x8-1128gb",
        price_hourly: 27.52,
        memory: 1_966_080,
        vcpus: 192,
        disk: 2046,
        regions: ["atl1"],
        available: true,
        gpu_info: { count: 8, model: "nvidia_h200", vram: { amount: 1128, unit: "gib" } },
        disk_info: [
          { type: "local", size: { amount: 2046, unit: "gib" } },
          { type: "scratch", size: { amount: 40_960, unit: "gib" } },
        ],
      },
      { slug: "s-1vcpu-1gb", price_hourly: 0.009, memory: 1024, vcpus: 1, regions: ["atl1"], available: true },
    ],
    links: {},
    meta: { total: 2 },
  },
  images: {
    images: [
      {
        id: 1,
        name: "24.04 (LTS) x64",
        distribution: "Ubuntu",
        slug: "ubuntu-24-04-x64",
        public: true,
        status: "available",
      },
      { id: 2, name: "13 x64", distribution: "Debian", slug: "debian-13-x64", public: true, status: "available" },
      { id: 3, name: "mine", distribution: "Ubuntu", slug: null, public: false, status: "available" },
      { id: 4, name: "10 x64", distribution: "Debian", slug: "debian-10-x64", public: true, status: "retired" },
    ],
    links: {},
    meta: { total: 4 },
  },
};

export const expected: SampleOutcome = {
  offers: ["8 h200-sxm, $27.52, atl1 (US), 192 vCPU 1920 GB 43006 GB disk, 43006-43006 GB at 0, available, nvlink"],
  rejections: [],
  skipped: 1,
};
