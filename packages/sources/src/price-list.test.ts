import { cheapestListings, hourlyCost, publishedOfferSchema } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { offerOf, type OfferFacts } from "./offer-of.js";
import type { PriceListColumns } from "./price-list.js";
import { readCatalog } from "./open-catalog.js";

const FACTS: OfferFacts = {
  provider: "acme",
  gpu: "H100 SXM",
  gpuCount: 8,
  priceHourly: 15.2,
  country: "Norway",
  disk: 2000,
};

describe("an offer of a few facts", () => {
  test("is complete, and valid for publishing", () => {
    const offer = offerOf(FACTS);
    expect(publishedOfferSchema.parse(offer)).toEqual(offer);
    expect(offer).toMatchObject({
      gpu: { slug: "h100-sxm", vramGB: 80 },
      pricePerGpu: 1.9,
      region: "NO",
      regionInfo: { countryCode: "NO", countryName: "Norway", continent: "Europe" },
      specs: { disk: 2000 },
      costDataComplete: true,
      isAvailable: true,
      deploymentType: "virtual",
    });
    expect(hourlyCost(offer, 500)).toBe("15.2000");
  });

  test("keeps its id when its price changes, and has another one in another place", () => {
    const { id } = offerOf(FACTS);
    expect(offerOf({ ...FACTS, priceHourly: 14, available: false }).id).toBe(id);
    expect(offerOf({ ...FACTS, country: "FI" }).id).not.toBe(id);
    expect(offerOf({ ...FACTS, country: "no" }).id).toBe(id);
  });

  test("without a disk has a lower bound as its cost", () => {
    const { disk: _, ...facts } = FACTS;
    expect(offerOf(facts).costDataComplete).toBe(false);
  });

  test.each<[Partial<OfferFacts>, string]>([
    [{ gpu: "A100" }, "a100"],
    [{ gpu: "H1000" }, "H1000"],
    [{ country: "Atlantis" }, "Atlantis, which is neither"],
    [{ provider: "Acme Inc." }, "such as acme"],
    [{ priceHourly: 0 }, "priceHourly is 0; it must be an amount above 0."],
    [{ priceHourly: Number.NaN }, "priceHourly is NaN"],
    [{ gpuCount: 1.5 }, "1.5"],
    [{ disk: -1 }, "disk is -1; it must be a number of GB from 0."],
  ])("%j is rejected with what is invalid", (wrong, message) => {
    expect(() => offerOf({ ...FACTS, ...wrong })).toThrow(RangeError);
    expect(() => offerOf({ ...FACTS, ...wrong })).toThrow(message);
  });
});

const COLUMNS: PriceListColumns = {
  provider: "Vendor",
  gpu: "Card",
  gpuCount: "Cards",
  pricePerGpu: "USD per card",
  country: "Country",
  disk: "SSD",
  available: "In stock",
};

const CSV = `Vendor,Card,Cards,USD per card,Country,SSD,In stock
Acme Cloud,NVIDIA H100 SXM5 80GB,8,$1.90,Norway,2TB,yes
Acme Cloud,RTX 4090,1,0.35,FI,500 GB,no
beta,L40S,2,abc,Germany,100,yes
beta,L40S,2,0.9,Germany,,3
`;

describe("a price list of one's own", () => {
  test("is read in one call, and searched in one", async () => {
    const { offers, listings, providers, rejections } = await readCatalog(CSV, { columns: COLUMNS });
    expect(providers.map(({ name }) => name)).toEqual(["acme-cloud", "beta"]);
    expect(rejections).toMatchObject([{ where: "line 4", code: "bad_price" }]);
    expect(rejections[0]?.reason).toMatch(/^USD per card is abc; it must/);
    expect(offers.map(({ priceHourly, isAvailable }) => [priceHourly, isAvailable])).toEqual([
      [15.2, true],
      [0.35, false],
      [1.8, true],
    ]);
    const found = cheapestListings(listings, { country: ["European Union", "NO"], disk: 1000 });
    expect(found.map(({ offer, total }) => [offer.gpu.slug, total.hourly, total.isAtLeast])).toEqual([
      ["h100-sxm", 15.2, false],
      ["l40s", 1.8, true],
    ]);
    expect(() => cheapestListings(offers, { min_ram_gb: 1 } as object)).toThrow("Did you mean min_ram?");
    expect(() => cheapestListings(offers, { gpu: ["h1000"] })).toThrow(RangeError);
  });

  test("is searched with values as people write them, and never by an invalid one", async () => {
    const { offers } = await readCatalog(CSV, { columns: COLUMNS });
    const asTyped = cheapestListings(offers, { gpu: "h100,l40s", disk: "1TB", max_total: "$16", size: "1" });
    expect(asTyped).toEqual(cheapestListings(offers, { gpu: ["h100", "l40s"], disk: 1000, max_total: 16, size: 1 }));
    expect(asTyped.map(({ offer }) => offer.gpu.slug)).toEqual(["h100-sxm"]);
    expect(cheapestListings(offers, { available: undefined })).toHaveLength(3);
    for (const query of [
      { disk: "much" },
      { max_total: -1 },
      { size: 0 },
      { size: 101 },
      { sort_by: "price" },
      { nvlink: 1 },
    ]) {
      expect(() => cheapestListings(offers, query as object)).toThrow(`${Object.keys(query)[0]} must be`);
    }
    expect(() => cheapestListings(offers, { size: 0 })).toThrow("size must be a whole number from 1 to 100, not 0.");
  });

  test("with semicolons is rejected with the way out", async () => {
    await expect(readCatalog(CSV.replaceAll(",", ";"), { columns: COLUMNS })).rejects.toThrow(
      "Separate the columns with commas.",
    );
  });

  test.each<[PriceListColumns, string]>([
    [{ ...COLUMNS, gpu: "GPU" }, "gpu is in the column GPU, which the file lacks. It has Vendor, Card,"],
    [{ provider: "Vendor", priceHourly: "USD per card" }, "No column is given for gpu."],
    [{ provider: "Vendor", gpu: "Card" }, "No column is given for priceHourly, pricePerGpu or priceMonthly"],
    [{ ...COLUMNS, cpu: "Cards" } as PriceListColumns, "There is no fact cpu."],
  ])("with the columns %j is rejected", async (columns, message) => {
    await expect(readCatalog(CSV, { columns })).rejects.toThrow(message);
  });

  test("needs its columns", async () => {
    await expect(readCatalog(CSV, { format: "csv" })).rejects.toThrow("needs the option columns");
    await expect(readCatalog(CSV)).rejects.toThrow("For a CSV of your own");
  });
});

const EUROS = { gpu: "Karte", priceHourly: "Preis", provider: { value: "hetzner" }, country: { value: "DE" } } as const;
const inEuros = { columns: EUROS, usdPerUnit: (currency: string) => (currency === "EUR" ? 1.16 : undefined) };

describe("a price list in euros", () => {
  test.each([
    ["4.12", { currency: "EUR" }, {}],
    ["€4.12", {}, {}],
    ["4.12 €", {}, {}],
    ['"4,12 EUR"', {}, {}],
    ["eur 4.12/h", {}, {}],
    ["4.12", {}, { currency: { value: "EUR" } }],
    ["2966.40 EUR/month", {}, {}],
    ["2966.40", { currency: "EUR" }, { priceHourly: undefined, priceMonthly: "Preis" }],
    ["4.9028", { currency: "EUR" }, { taxPercent: { value: "19%" } }],
  ])("with %s, %j and %j is converted once, and marked as approximate", async (price, options, columns) => {
    const given = JSON.parse(JSON.stringify({ ...EUROS, ...columns })) as PriceListColumns;
    const read = await readCatalog(`Karte,Preis\nL40S,${price}\n`, { ...inEuros, ...options, columns: given });
    // 4.12 EUR x 1.16 = 4.7792 USD.
    expect(read.offers.map(({ priceHourly, costDataComplete }) => [priceHourly, costDataComplete])).toEqual([
      [4.7792, false],
    ]);
    expect(read.notes).toEqual([]);
  });

  test("has its currency from the name of the column, if nothing else states one", async () => {
    const columns = { ...EUROS, priceHourly: "Price (EUR)" };
    const { offers } = await readCatalog("Karte,Price (EUR)\nL40S,4.12\n", { ...inEuros, columns });
    expect(offers).toMatchObject([{ priceHourly: 4.7792 }]);
  });

  test("is never in dollars: without a rate it is rejected, and a note says what was assumed", async () => {
    const csv = 'Karte,Preis\nL40S,€4.12\nL4,£1\nT4,"€4,125"\nA40,0.5\n';
    const { offers, rejections, notes } = await readCatalog(csv, { columns: EUROS });
    expect(rejections.map(({ where, code }) => [where, code])).toEqual([
      ["line 2", "unknown_currency"],
      ["line 3", "unknown_currency"],
      ["line 4", "bad_price"],
    ]);
    expect(offers).toMatchObject([{ gpu: { slug: "a40" }, priceHourly: 0.5 }]);
    expect(notes).toEqual([
      "hetzner prices in EUR, and the prices of 1 of its rows state no currency: they are read as USD. State the currency, EUR or USD.",
    ]);
  });

  test("is converted in one offer, too", () => {
    expect(offerOf({ ...FACTS, currency: "EUR" }, { usdPerUnit: () => 2 }).priceHourly).toBe(30.4);
    expect(() => offerOf({ ...FACTS, currency: "EUR" })).toThrow("The price is in EUR, and there is no exchange rate.");
  });
});

describe("machines of a price list", () => {
  test.each([
    ["vCPUs", "16,90,500,vm,2.5", "26,90,500,vm,2.9", ""],
    ["memory", "16,90,500,vm,2.5", "16,180,500,vm,2.9", ""],
    ["disk", "16,90,500,vm,2.5", "16,90,2000,vm,2.9", ""],
    ["form", "16,90,500,vm,2.5", "16,90,500,bare-metal,3.9", ""],
    ["vCPUs, under one name of a type", "16,90,500,vm,2.5", "26,90,500,vm,2.9", "gpu.large"],
  ])("that differ in %s alone are two offers", async (_, cheap, dear, type) => {
    const columns = {
      provider: { value: "acme" },
      gpu: { value: "H100 PCIe" },
      ...Object.fromEntries(["vcpu", "ram", "disk", "type", "priceHourly"].map((field) => [field, field])),
      ...(type !== "" && { instanceType: { value: type } }),
    } as PriceListColumns;
    const rows = [cheap, dear];
    for (const lines of [rows, rows.toReversed()]) {
      const { offers } = await readCatalog(["vcpu,ram,disk,type,priceHourly", ...lines].join("\n"), { columns });
      expect(offers.map(({ priceHourly }) => priceHourly).toSorted((a, b) => a - b)).toEqual([
        2.5,
        type === "" && dear.endsWith("3.9") ? 3.9 : 2.9,
      ]);
    }
  });

  test("may have prices with float noise, as pandas writes them", async () => {
    const columns = { provider: { value: "acme" }, gpu: "gpu", priceHourly: "price" };
    const { offers } = await readCatalog("gpu,price\nL40S,1.1179999999999999\n", { columns });
    expect(offers).toMatchObject([{ priceHourly: 1.118 }]);
  });
});
