import * as z from "zod";
import { findInstanceType } from "../instance/instance-type.js";
import type { ReadDisk } from "../machine-disk.js";
import { Rejection } from "../rejection.js";
import { placesOf } from "../region/region-tables.js";
import { builtInSource } from "./built-in-source.js";
import { pagesOf, type StatedRequests } from "./define-source.js";
import type { LiveRow } from "./live-offers.js";
import type { LiveResponse } from "./live-source.js";
import { optionalPart } from "./part.js";
import { bodiesOf, bodyOf, entriesOf, matchingRows, usableRows } from "./response.js";
import { spotTerms } from "./terms.js";

// https://learn.microsoft.com/rest/api/cost-management/retail-prices/azure-retail-prices: prices by region. The order of pages
// is not stable while prices change, so each region is requested separately: few have more than one page.

const API = "https://prices.azure.com/api/retail/prices";

const pageSchema = z.union([
  z.object({
    BillingCurrency: z.string().nullish(),
    Items: z.array(z.unknown()),
    NextPageLink: z.string().max(4000).nullish(),
  }),
  z.array(z.unknown()).transform((Items) => ({ BillingCurrency: undefined, Items, NextPageLink: null })),
]);

const priceSchema = z.object({
  armSkuName: z.string().max(200),
  armRegionName: z.string().max(200),
  retailPrice: z.number().min(0),
  unitOfMeasure: z.string(),
  meterName: z.string(),
  productName: z.string(),
  type: z.string(),
  currencyCode: z.string().nullish(),
  serviceName: z.string().nullish(),
  reservationTerm: z.string().nullish(),
});
type Price = z.output<typeof priceSchema>;

/** Regions that require a separate kind of account, and edge zones of network operators. */
const CLOSED = /^(?:usgov|usdod|china|att)/;
const REGIONS = [...placesOf("azure").keys()].filter((region) => /^[a-z]+\d?$/.test(region) && !CLOSED.test(region));

export const azure = builtInSource("azure", {
  scopes: { noun: "region", defaults: REGIONS },

  check: (response) => bodyOf(response, pageSchema),

  *requests({ settings }) {
    for (const region of settings.scopes ?? REGIONS) {
      yield* pages(region, "prices", [
        "serviceName eq 'Virtual Machines'",
        "priceType eq 'Consumption'",
        `armRegionName eq '${region.replaceAll("'", "")}'`,
        "contains(armSkuName, 'Standard_N')",
      ]);
    }
    yield* pages(undefined, "disks", [
      "serviceName eq 'Storage'",
      "priceType eq 'Consumption'",
      `productName eq '${DISK_PRODUCT}'`,
      "endswith(meterName, ' LRS Disk')",
    ]);
  },

  *items(offers, replies) {
    const bodies = bodiesOf(replies, "prices", pageSchema);
    const disks = optionalPart(replies, "disks", "Current prices of disks", disksIn);
    yield offers.providerItem();
    yield* disks.notes;
    const rows = bodies.flatMap(({ Items, BillingCurrency }) => Items.map((item) => [BillingCurrency, item] as const));
    const prices = entriesOf(rows, priceSchema, "Items");
    const spots = spotPrices(matchingRows(prices).map(([, price]) => price));
    yield* offers.items(
      prices,
      ([currency, price]) =>
        rowOf(price, price.currencyCode ?? currency ?? "USD", spots.get(spotKey(price)), disks.value),
      (row) => (row instanceof Rejection ? undefined : row[1].armRegionName),
    );
  },
});

function pages(scope: string | undefined, part: string, conditions: readonly string[]): StatedRequests {
  const first = `${API}?api-version=2023-01-01-preview&$filter=${encodeURIComponent(conditions.join(" and "))}`;
  const kind = scope === undefined ? ({ optional: true } as const) : { scope };
  return pagesOf(
    (_, url?: string) => ({ part, ...kind, url: url ?? first }),
    (reply) => bodyOf(reply, pageSchema).NextPageLink,
  );
}

/** Spot prices of Linux machines by size and region, USD per hour; of several, the highest. */
function spotPrices(prices: readonly Price[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const price of prices.filter(isLinuxSpot)) {
    const key = spotKey(price);
    found.set(key, Math.max(found.get(key) ?? 0, price.retailPrice));
  }
  return found;
}

function spotKey({ armSkuName, armRegionName }: Price): string {
  return `${armSkuName} ${armRegionName}`.toLowerCase();
}

const DISK_PRODUCT = "Premium SSD Managed Disks";

/** Sizes of the tiers in GiB: https://learn.microsoft.com/azure/virtual-machines/disks-types#premium-ssd-size */
const TIERS: ReadonlyMap<string, number> = new Map(
  Object.entries({ P4: 32, P6: 64, P10: 128, P15: 256, P20: 512, P30: 1024, P40: 2048, P50: 4096 }),
);

/** The tiers of each region, from `P10 LRS Disk`; other meters, such as mounts, bursts and free disks, are no sizes. */
function disksIn(responses: readonly LiveResponse[]): ReadonlyMap<string, ReadDisk> {
  const rows = responses.flatMap((response) => usableRows(bodyOf(response, pageSchema).Items, priceSchema, "Items"));
  const steps = rows.flatMap(({ armRegionName, meterName, retailPrice, unitOfMeasure, currencyCode, productName }) => {
    const gb = TIERS.get(/^(P\d+) LRS Disk$/.exec(meterName)?.[1] ?? "");
    const isPrice = productName === DISK_PRODUCT && unitOfMeasure === "1/Month" && (currencyCode ?? "USD") === "USD";
    return gb !== undefined && isPrice && retailPrice > 0 ? [{ armRegionName, gb, pricePerMonth: retailPrice }] : [];
  });
  return new Map(
    [...Map.groupBy(steps, ({ armRegionName }) => armRegionName)].flatMap(([region, tiers]) => {
      const sizes = tiers.map(({ gb, pricePerMonth }) => ({ gb, pricePerMonth })).toSorted((a, b) => a.gb - b.gb);
      const isRising = sizes.every(({ gb, pricePerMonth }, at) => {
        const before = sizes[at - 1];
        return before === undefined || (gb > before.gb && pricePerMonth >= before.pricePerMonth);
      });
      return isRising ? [[region, { steps: sizes, maxGb: sizes.at(-1)?.gb ?? null, source: API }]] : [];
    }),
  );
}

/** What is sold at a price; undefined if that is no machine of the N series, which has the GPUs. */
function rowOf(
  price: Price,
  currency: string,
  spotPrice: number | undefined,
  disks: ReadonlyMap<string, ReadDisk> | undefined,
): LiveRow | Rejection | undefined {
  if (!/^Standard_N/i.test(price.armSkuName)) {
    return undefined;
  }
  if (isSpot(price)) {
    return new Rejection("spot_only", `${price.armSkuName}: ${price.meterName} is a spot price.`);
  }
  if (isOtherTerms(price)) {
    const what = `${price.armSkuName}: ${price.meterName} of ${price.productName} (${price.type})`;
    return new Rejection("other_terms", `${what} is for other terms.`);
  }
  if (price.unitOfMeasure !== "1 Hour") {
    return new Rejection("bad_unit", `The price of ${price.armSkuName} is per ${price.unitOfMeasure.slice(0, 40)}.`);
  }
  if (currency !== "USD") {
    return new Rejection("unknown_currency", `The price is in ${currency.slice(0, 8)}.`);
  }
  if (price.armRegionName === "") {
    return new Rejection("missing_value", "armRegionName is empty.");
  }
  if (/^Standard_NP/i.test(price.armSkuName)) {
    return new Rejection("not_a_gpu", `${price.armSkuName} has FPGAs, not GPUs.`);
  }
  if (findInstanceType("azure", price.armSkuName) === undefined) {
    return new Rejection("unknown_gpu", `The tables of Azure have no size ${price.armSkuName}.`);
  }
  return {
    instanceType: price.armSkuName,
    region: price.armRegionName,
    gpu: { name: "" },
    priceHourly: price.retailPrice,
    isAvailable: true,
    disk: { kind: "unpriced", volume: disks?.get(price.armRegionName) },
    listing: { instanceType: price.armSkuName, seller: "cloud", spot: spotTerms(spotPrice) },
  };
}

function isSpot({ meterName, productName }: Price): boolean {
  return /\bspot\b/i.test(meterName) || /\bspot\b/i.test(productName);
}

function isLinuxSpot(price: Price): boolean {
  const isUsd = price.currencyCode == null || price.currencyCode === "USD";
  return isSpot(price) && !isOtherTerms(price) && price.unitOfMeasure === "1 Hour" && isUsd;
}

/** Whether a price is for others than on-demand Linux machines, which only its texts show. */
function isOtherTerms({ type, meterName, productName, serviceName, reservationTerm }: Price): boolean {
  return (
    type !== "Consumption" ||
    reservationTerm != null ||
    (serviceName != null && serviceName !== "Virtual Machines") ||
    /\bwin(?:dows)?\b|dedicated|cloud ?services/i.test(productName) ||
    /low priority/i.test(meterName)
  );
}
