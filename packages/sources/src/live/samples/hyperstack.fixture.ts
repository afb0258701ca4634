import type { SampleOutcome } from "../sample-outcome.fixture.js";

const hyperstackFlavor = {
  name: "n3-A100x4",
  cpu: 124,
  ram: 480,
  disk: 100,
  ephemeral: 3200,
  gpu_count: 4,
  stock_available: true,
};

export const hyperstack = {
  flavors: {
    data: [
      {
        gpu: "A100-80G-PCIe",
        region_name: "NORWAY-1",
        flavors: [hyperstackFlavor, { ...hyperstackFlavor, name: "n3-A100x4-spot" }],
      },
      { gpu: "", region_name: "NORWAY-1", flavors: [{ name: "n1-cpu-small", gpu_count: 0 }] },
    ],
  },
  pricebook: [{ name: "A100-80G-PCIe", value: "1.35", original_value: "1.40" }],
  images: {
    images: [
      {
        region_name: "NORWAY-1",
        type: "Ubuntu",
        images: [
          { id: 7, name: "Ubuntu Server 22.04 LTS R535 CUDA 12.2 with Docker", flavor_restrictions: null },
          { id: 8, name: "Ubuntu Server 24.04 LTS", flavor_restrictions: [] },
          { id: 9, name: "Ubuntu Server 22.04 LTS H200", flavor_restrictions: ["n3-H200x8"] },
        ],
      },
      {
        region_name: "CANADA-1",
        type: "Ubuntu",
        images: [
          { id: 10, name: "Ubuntu Server 24.04 LTS", flavor_restrictions: [] },
          { id: 11, name: "Ubuntu Server 24.04 LTS Special", flavor_restrictions: { flavors: ["n3-H200x8"] } },
        ],
      },
    ],
  },
};

export const expected: SampleOutcome = {
  offers: ["4 a100-pcie-80gb, $5.4, NORWAY-1 (NO), 124 vCPU 480 GB 3300 GB disk, 3300-3300 GB at 0, available"],
  rejections: ["spot_only"],
  skipped: 1,
};
