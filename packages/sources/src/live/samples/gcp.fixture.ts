import type { SampleOutcome } from "../sample-outcome.fixture.js";

/** A SKU in the form of the Cloud Billing Catalog. */
export function sku(
  description: string,
  price: { units: string; nanos: number; per?: string },
  { usageType = "OnDemand", family = "Compute", group = "GPU", regions = ["us-central1"] } = {},
) {
  return {
    skuId: "0000-0000-0000",
    description,
    category: {
      serviceDisplayName: "Compute Engine",
      resourceFamily: family,
      resourceGroup: group,
      usageType,
    },
    serviceRegions: regions,
    pricingInfo: [
      {
        pricingExpression: {
          usageUnit: price.per ?? "h",
          tieredRates: [
            {
              startUsageAmount: 0,
              unitPrice: { currencyCode: "USD", units: price.units, nanos: price.nanos },
            },
          ],
        },
      },
    ],
  };
}

export const gcp = {
  skus: {
    skus: [
      sku("Nvidia H100 80GB GPU running in Americas", { units: "9", nanos: 796_550_569 }),
      sku("A3 Instance Core running in Americas", { units: "0", nanos: 30_000_000 }, { group: "CPU" }),
      sku("A3 Instance Ram running in Americas", { units: "0", nanos: 2_600_000, per: "GiBy.h" }, { group: "RAM" }),
      sku(
        "SSD backed Local Storage",
        { units: "0", nanos: 80_000_000, per: "GiBy.mo" },
        { family: "Storage", group: "LocalSSD" },
      ),
      sku(
        "Commitment v1: Nvidia H100 80GB GPU running in Americas for 1 Year",
        { units: "6", nanos: 798_808_570 },
        { usageType: "Commit1Yr" },
      ),
      sku("A4 Nvidia B200 (1 gpu slice) running in Americas", { units: "16", nanos: 0 }),
      sku("E2 Instance Core running in Americas", { units: "0", nanos: 21_811_590 }, { group: "CPU" }),
    ],
    nextPageToken: "",
  },
};

export const expected: SampleOutcome = {
  // 8 x 9.796550569 + 208 x 0.03 + 1872 x 0.0026 + 6000 x 0.08 / 730.
  offers: [
    "8 h100-sxm, $90.137139, us-central1 (US), 208 vCPU 1872 GB 6000 GB disk, 0-0 GB at 0, nvlink, GPUDirect-TCPX 800 Gbps, at least",
  ],
  rejections: ["not_rentable", "other_terms", "not_rentable"],
  skipped: 4,
};
