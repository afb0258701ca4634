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
};
