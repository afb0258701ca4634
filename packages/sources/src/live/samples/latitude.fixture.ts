export const latitude = {
  plans: {
    data: [
      {
        id: "plan_1",
        attributes: {
          slug: "g3-l40s-medium",
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
};
