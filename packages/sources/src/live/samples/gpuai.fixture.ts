export const gpuai = {
  pricing: {
    data: [
      {
        offering_id: "of-1",
        gpu_type: "A100 80GB SXM",
        gpu_count: 8,
        price_per_hour: 11.6,
        tier: "on_demand",
        region: "us-east",
        available: true,
      },
      { offering_id: "of-2", gpu_type: "H100", gpu_count: 1, price_per_hour: 0.9, tier: "spot" },
      { offering_id: "of-1", gpu_type: "A100 80GB SXM", gpu_count: 8, price_per_hour: 11.6, tier: "on_demand" },
    ],
    next_cursor: null,
  },
};
