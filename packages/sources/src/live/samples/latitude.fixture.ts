import type { SampleOutcome } from "../sample-outcome.fixture.js";

const system = (slug: string, name: string, plans: string[]) => ({
  id: `os_${slug}`,
  type: "operating_system",
  attributes: { name, slug, distro: "x", version: "1", provisionable_on: plans },
});

export const latitude = {
  plans: {
    data: [
      {
        id: "plan_1",
        attributes: {
          slug: "g3-l40s-medium",
          name: "g3.l40s.medium",
          specs: {
            cpu: { cores: 32, count: 2 },
            memory: { total: 768 },
            drives: [{ count: 2, size: "3.8TB", type: "NVME" }],
            gpu: { count: 4, type: "NVIDIA L40S 48GB" },
          },
          regions: [
            {
              name: "United States",
              locations: { available: ["DAL", "NYC"], in_stock: ["NYC"] },
              pricing: { USD: { hour: 6.2 }, BRL: { hour: 31 } },
            },
          ],
        },
      },
      { id: "plan_2", attributes: { slug: "c3-small", specs: { gpu: {} }, regions: [] } },
    ],
    meta: {},
  },
  operating_systems: {
    data: [
      system("ubuntu_24_04_x64_lts", "Ubuntu 24.04", ["c3.small.x86", "g3.l40s.medium"]),
      system("windows_2022_std", "Windows 22 Standard", ["c3.small.x86"]),
      system("ipxe", "Custom image", ["g3.l40s.medium"]),
    ],
    meta: {},
  },
};

export const expected: SampleOutcome = {
  offers: [
    "4 l40s, $6.2, DAL (US), 64 vCPU 768 GB 7600 GB disk, 7600-7600 GB at 0",
    "4 l40s, $6.2, NYC (US), 64 vCPU 768 GB 7600 GB disk, 7600-7600 GB at 0, available",
  ],
  rejections: [],
  skipped: 1,
};
