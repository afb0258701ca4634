import type { SampleOutcome } from "../sample-outcome.fixture.js";

const azurePrice = {
  armSkuName: "Standard_NC48ads_A100_v4",
  armRegionName: "westus3",
  retailPrice: 7.346,
  unitOfMeasure: "1 Hour",
  meterName: "NC48ads A100 v4",
  productName: "Virtual Machines NCads A100 v4 Series",
  type: "Consumption",
  currencyCode: "USD",
  serviceName: "Virtual Machines",
};

export const azure = {
  prices: {
    BillingCurrency: "USD",
    Items: [
      azurePrice,
      { ...azurePrice, retailPrice: 1.5, meterName: "NC48ads A100 v4 Spot" },
      { ...azurePrice, retailPrice: 9.1, productName: "Virtual Machines NCads A100 v4 Series Windows" },
      { ...azurePrice, retailPrice: 31_000, type: "Reservation", reservationTerm: "1 Year" },
      { ...azurePrice, armSkuName: "Standard_NP10s" },
    ],
    NextPageLink: null,
  },
};

export const expected: SampleOutcome = {
  offers: ["2 a100-pcie-80gb, $7.346, westus3 (US), 48 vCPU 440 GB 0 GB disk, 0-0 GB at 0, available, at least"],
  rejections: ["spot_only", "other_terms", "other_terms", "not_a_gpu"],
  skipped: 0,
};
