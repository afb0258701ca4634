import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const seeweb = {
  plans: {
    status: "ok",
    plans: [
      {
        name: "ECS2GPU7",
        cpu: "16",
        ram: "65536",
        disk: "500",
        gpu: "2",
        gpu_label: "L40s 48GB",
        hourly_price: "1.70",
        available: true,
        available_regions: [{ location: "it-mi2" }],
      },
      { name: "ECS1GPU1", gpu: "1", gpu_label: "L4 24GB", hourly_price: 0.38, available: false, available_regions: [] },
      { name: "eCS4", cpu: "4", ram: "8192", gpu: "0", gpu_label: null, hourly_price: 0.063, available: true },
    ],
  },
  ecb: {
    dataSets: [{ series: { "0:0:0:0:0": { observations: { "0": [1.16, 0] } } } }],
    structure: {
      dimensions: {
        series: [
          { id: "FREQ", values: [{ id: "D" }] },
          { id: "CURRENCY", values: [{ id: "USD" }] },
        ],
        observation: [{ id: "TIME_PERIOD", values: [{ id: "2026-11-20" }] }],
      },
    },
  },
};

export const expected: SampleOutcome = {
  // 1.70 EUR x 1.16.
  offers: ["2 l40s, $1.972, it-mi2 (IT), 16 vCPU 64 GB 500 GB disk, 500-500 GB at 0, available, at least"],
  rejections: ["not_rentable"],
  skipped: 1,
};
