import type { SampleOutcome } from "../sample-outcome.fixture.js";

export const oci = {
  products: {
    lastUpdated: "2026-11-01T00:00:00.000Z",
    items: [
      {
        partNumber: "B1",
        displayName: "OCI - Compute - GPU - H200",
        metricName: "GPU Per Hour",
        serviceCategory: "Compute - GPU",
        currencyCodeLocalizations: [{ currencyCode: "USD", prices: [{ model: "PAY_AS_YOU_GO", value: 9.5 }] }],
      },
      {
        partNumber: "B2",
        displayName: "Roving Edge Device - GPU",
        metricName: "Resource Possession Per Day",
        serviceCategory: "Roving Edge Infrastructure",
        currencyCodeLocalizations: [],
      },
    ],
  },
};

export const expected: SampleOutcome = {
  offers: ["8 h200-sxm, $76, unknown (ZZ), 224 vCPU 3072 GB 0 GB disk, 0-0 GB at 0, nvlink, RDMA 3200 Gbps, at least"],
  rejections: ["other_terms"],
  skipped: 0,
};
