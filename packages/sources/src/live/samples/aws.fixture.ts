import type { SampleOutcome } from "../sample-outcome.fixture.js";

const awsRow = {
  price: "3.9120000000",
  "Instance Type": "g5.12xlarge",
  "Instance Family": "GPU instance",
  vCPU: "48",
  Memory: "192 GiB",
  Storage: "1 x 3800 GB NVMe SSD",
  "Operating System": "Linux",
};

const spot = (size: string, linux: string) => ({
  size,
  valueColumns: [
    { name: "linux", prices: { USD: linux } },
    { name: "mswin", prices: { USD: "N/A*" } },
  ],
});

export const aws = {
  spot: {
    vers: 0.01,
    config: {
      rate: "perhr",
      valueColumns: ["linux", "mswin"],
      currencies: ["USD"],
      regions: [
        {
          region: "us-east-2",
          footnotes: { "*": "notAvailableForCCorCGPU" },
          instanceTypes: [{ type: "gpuCurrentGen", sizes: [spot("g5.12xlarge", "1.6231"), spot("g5.xlarge", "N/A*")] }],
        },
        { region: "us-east-1", instanceTypes: [{ type: "gpuCurrentGen", sizes: [spot("g5.12xlarge", "2.1")] }] },
      ],
    },
  },
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

export const expected: SampleOutcome = {
  offers: ["4 a10g, $3.912, us-east-2 (US), 48 vCPU 192 GB 3800 GB disk, 0-0 GB at 0, available, at least"],
  rejections: ["not_a_gpu"],
  skipped: 1,
};
