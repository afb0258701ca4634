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
