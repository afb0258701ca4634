import { cheapestListings, hourlyCost, publishedOfferSchema } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { offerOf, type OfferFacts } from "./offer-of.js";
import type { PriceListColumns } from "./price-list.js";
import { readCatalog } from "./read-catalog.js";

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
    [{ priceHourly: 0 }, "priceHourly is 0; it must be USD per hour, above 0."],
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
    [{ provider: "Vendor", gpu: "Card" }, "No column is given for priceHourly or pricePerGpu"],
    [{ ...COLUMNS, cpu: "Cards" } as PriceListColumns, "There is no fact cpu."],
  ])("with the columns %j is rejected", async (columns, message) => {
    await expect(readCatalog(CSV, { columns })).rejects.toThrow(message);
  });

  test("needs its columns", async () => {
    await expect(readCatalog(CSV, { format: "csv" })).rejects.toThrow("needs the option columns");
    await expect(readCatalog(CSV)).rejects.toThrow("For a CSV of your own");
  });
});
