import { providerKey } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { currencyOf, moneyOfFile } from "./currencies.js";
import { cloudCurrencies } from "./providers.facts.js";
import { skypilot } from "./live/skypilot.js";
import { sourceItems, readBodies, sampleContext, samples } from "./live/recordings.fixture.js";
import { ofKind, offersOf, skypilotCsv } from "./source.fixture.js";
import { read } from "./skypilot/read-skypilot.fixture.js";

describe("the table of clouds that price in another currency", () => {
  test("has keys of providers", () => {
    expect([...cloudCurrencies.keys()].filter((key) => providerKey(key) !== key)).toEqual([]);
  });

  test.each([
    ["seeweb", "EUR"],
    ["Scaleway", "EUR"],
    ["scw", "EUR"],
    ["ovhcloud", "EUR"],
    ["hetzner-cloud", "EUR"],
    ["seeweb.it", "EUR"],
    ["Trooper.AI", "EUR"],
    ["ovhcloud-eu", "EUR"],
    ["ovhcloud-us", "USD"],
    ["e2e-cloud", "INR"],
    ["vast.ai", "USD"],
    ["aws", "USD"],
    ["somebody", "USD"],
  ])("of %s is %s", (provider, currency) => {
    expect(currencyOf(provider)).toBe(currency);
  });
});

describe("the money of a file", () => {
  test.each([
    ["euro", 1, "euro is not a currency. Use its ISO 4217 code, such as EUR."],
    ["EUR", 0, "The exchange rate is 0."],
    ["EUR", 1000, "The exchange rate is 1000."],
  ])("in %s at %d is rejected", (currency, rate, message) => {
    expect(() => moneyOfFile({ currency, usdPerUnit: () => rate })).toThrow(message);
  });
});

const row = {
  InstanceType: "ECS1GPU7",
  AcceleratorName: "L40S",
  AcceleratorCount: "1",
  Region: "it-fr2",
  Price: "0.87",
};

describe("a file of a cloud that prices in euros", () => {
  test("has no offers without a rate, and says that it is missing", async () => {
    for (const provider of ["seeweb", "scaleway"]) {
      const items = await read(skypilotCsv(row), { provider, money: moneyOfFile({ rateRemedy: "Give one." }) });
      expect(items).toMatchObject([
        {
          kind: "rejection",
          code: "unknown_currency",
          reason: "The price is in EUR, and there is no exchange rate. Give one.",
        },
      ]);
    }
    expect(await read(skypilotCsv(row), { provider: "mine", tables: "seeweb" })).toMatchObject([
      { code: "unknown_currency" },
    ]);
  });

  test("is in dollars if others collected it in dollars, as SkyPilot does of OVHcloud", async () => {
    expect(offersOf(await read(skypilotCsv({ ...row, Price: "3.07" }), { provider: "ovhcloud" }))).toMatchObject([
      { priceHourly: 3.07 },
    ]);
  });

  test("is converted at a rate, rounded up, as the least that it costs, with its spot price", async () => {
    const csv = skypilotCsv({ ...row, SpotPrice: "0.4" });
    const items = await read(csv, { provider: "seeweb", money: moneyOfFile({ usdPerUnit: () => 1.1534 }) });
    // 0.87 EUR x 1.1534 = 1.003458 USD.
    expect(offersOf(items)).toMatchObject([{ priceHourly: 1.0035, pricePerGpu: 1.0035, costDataComplete: false }]);
    expect(ofKind(items, "offer").map(({ listing }) => listing.spot)).toEqual([{ priceHourly: 0.4614, kind: "price" }]);
  });

  test("is in dollars if the operator says so, and any file in euros if they say that", async () => {
    expect(offersOf(await read(skypilotCsv(row), { provider: "seeweb", currency: "USD" }))).toMatchObject([
      { priceHourly: 0.87 },
    ]);
    const euros = { provider: "somebody", currency: "EUR" };
    expect(await read(skypilotCsv(row), euros)).toMatchObject([{ code: "unknown_currency" }]);
    expect(
      offersOf(await read(skypilotCsv(row), { ...euros, money: moneyOfFile({ usdPerUnit: () => 2 }) })),
    ).toMatchObject([{ priceHourly: 1.74 }]);
  });
});

describe("a feed with a cloud that prices in euros", () => {
  const bodies = { ...samples["skypilot"], vms: skypilotCsv(row), ecb: samples["scaleway"]?.["ecb"] };
  const readFeed = async (settings: object, own: object = bodies) =>
    sourceItems(
      await readBodies(
        skypilot,
        { ...own },
        { ...sampleContext(skypilot), settings: { scopes: ["seeweb"], ...settings } },
      ),
    );

  test("rejects its prices while conversion is off, or the rate is missing, and says which", async () => {
    expect(ofKind(await readFeed({}), "rejection")).toMatchObject([
      { code: "unknown_currency", reason: expect.stringContaining("set convert: ecb") },
    ]);
    const { ecb: _, ...withoutRate } = bodies;
    expect(ofKind(await readFeed({ convert: "ecb" }, withoutRate), "rejection")).toMatchObject([
      { code: "unknown_currency", reason: expect.stringContaining("Conversion is on") },
    ]);
  });

  test("converts them while conversion is on", async () => {
    const [offer] = offersOf(await readFeed({ convert: "ecb" }));
    expect(offer?.priceHourly).toBeGreaterThan(0.87);
    expect(offer?.costDataComplete).toBe(false);
  });
});
