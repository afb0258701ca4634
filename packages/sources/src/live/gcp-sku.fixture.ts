/** A SKU in the form of the Cloud Billing Catalog. */
export function sku(
  description: string,
  price: { units: string; nanos: number; per?: string },
  { usageType = "OnDemand", family = "Compute", group = "GPU", regions = ["us-central1"] } = {},
) {
  return {
    skuId: "0000-0000-0000",
    description,
    category: { serviceDisplayName: "Compute Engine", resourceFamily: family, resourceGroup: group, usageType },
    serviceRegions: regions,
    pricingInfo: [
      {
        pricingExpression: {
          usageUnit: price.per ?? "h",
          tieredRates: [
            { startUsageAmount: 0, unitPrice: { currencyCode: "USD", units: price.units, nanos: price.nanos } },
          ],
        },
      },
    ],
  };
}
