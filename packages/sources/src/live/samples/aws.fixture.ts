const awsRow = {
  price: "3.9120000000",
  "Instance Type": "g5.12xlarge",
  "Instance Family": "GPU instance",
  vCPU: "48",
  Memory: "192 GiB",
  Storage: "1 x 3800 GB NVMe SSD",
  "Operating System": "Linux",
};

export const aws = {
  prices: {
    manifest: { currencyCode: "USD", hawkFilePublicationDate: "2026-11-20T00:00:00Z" },
    regions: {
      "US East (Ohio)": {
        "g5 12xlarge": awsRow,
        "m7i large": { ...awsRow, "Instance Type": "m7i.large", "Instance Family": "General purpose" },
        "trn1 2xlarge": { ...awsRow, "Instance Type": "trn1.2xlarge" },
      },
    },
  },
};
