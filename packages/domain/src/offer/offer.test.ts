import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DEPLOYMENT_TYPES,
  MAX_PRICE,
  matchesListing,
  offerSchema,
  pricePerGpu,
  publishedOfferSchema,
  toMicros,
  UNKNOWN_REGION,
  UNKNOWN_LISTING_FACTS,
} from "../index.js";
import { arbitraryOffer, exampleOffer } from "../offer.fixture.js";

const seed = 20_261_120;

type Changes = Record<string, unknown>;
const changed = (changes: Changes): Changes => ({ ...exampleOffer(), ...changes });

/** The problems of an offer as texts "field: message". */
const problemsOf = (schema: typeof offerSchema | typeof publishedOfferSchema, offer: unknown): string[] =>
  schema.safeParse(offer).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

const fieldsOf = (schema: typeof offerSchema | typeof publishedOfferSchema, offer: unknown): string[] =>
  schema.safeParse(offer).error?.issues.map(({ path }) => path.join(".")) ?? [];

describe("an offer for readers", () => {
  test("has all of the API's fields, each required", () => {
    const offer = exampleOffer();
    expect(offerSchema.parse(offer)).toEqual(offer);
    const fields = [
      [
        "id",
        "provider",
        "gpu",
        "gpuCount",
        "region",
        "regionInfo",
        "priceHourly",
        "pricePerGpu",
        "isAvailable",
        "specs",
      ],
      ["storageCostPerGB", "storageMinGB", "storageMaxGB", "costDataComplete", "deploymentType", "nvlinkEnabled"],
      ["interconnect"],
    ].flat();
    expect(Object.keys(offerSchema.shape)).toEqual(fields);
    for (const field of fields) {
      const { [field]: _, ...rest } = changed({});
      expect(fieldsOf(offerSchema, rest)).toEqual([field]);
    }
  });

  test("requires every member of its objects", () => {
    const parts = { provider: ["name", "slug"], gpu: ["name", "slug", "vramGB", "architecture"] };
    const more = {
      regionInfo: ["countryCode", "countryName", "cityState", "continent"],
      specs: ["vcpu", "ram", "disk"],
    };
    for (const [field, names] of Object.entries({ ...parts, ...more })) {
      expect(fieldsOf(offerSchema, changed({ [field]: {} }))).toEqual(names.map((name) => `${field}.${name}`));
    }
  });

  test("drops unknown fields at every level", () => {
    const { provider, gpu, regionInfo, specs } = exampleOffer();
    const offer = changed({
      launchTime: 30,
      provider: { ...provider, logo: "x" },
      gpu: { ...gpu, tdp: 700 },
      regionInfo: { ...regionInfo, zone: "a" },
      specs: { ...specs, nic: 1 },
    });
    expect(offerSchema.parse(offer)).toEqual(exampleOffer());
  });

  test("may have unknown values of open fields", () => {
    const offer = changed({
      deploymentType: "kubernetes",
      regionInfo: { countryCode: "AQ", countryName: "", cityState: "", continent: "Zealandia" },
      gpu: { name: "", slug: "Not A Slug", vramGB: 1, architecture: "" },
      provider: { name: "Some Provider", slug: "some-provider" },
    });
    expect(offerSchema.parse(offer)).toEqual(offer);
  });

  test("may have any JSON value as interconnect", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (interconnect) => {
        expect(offerSchema.parse(changed({ interconnect }))).toEqual(changed({ interconnect }));
      }),
      { seed },
    );
  });

  test("may have an interconnect nested more deeply than the call stack", () => {
    const interconnect: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(offerSchema.safeParse(changed({ interconnect })).success).toBe(true);
  });

  test("may have any UUID, also one without a known version", () => {
    for (const id of ["00000000-0000-0000-0000-000000000001", "5B0C1F0E-6F0A-5C1E-9A53-0D8A3C5B7E11"]) {
      expect(offerSchema.parse(changed({ id })).id).toBe(id);
    }
  });

  test.each<[string, Changes]>([
    ["id", { id: "42" }],
    ["id", { id: "5b0c1f0e6f0a5c1e9a530d8a3c5b7e11" }],
    ["provider", { provider: "hyperstack" }],
    ["gpu.vramGB", { gpu: { ...exampleOffer().gpu, vramGB: 79.6 } }],
    ["gpu.vramGB", { gpu: { ...exampleOffer().gpu, vramGB: 0 } }],
    ["gpuCount", { gpuCount: 0 }],
    ["gpuCount", { gpuCount: 1.5 }],
    ["gpuCount", { gpuCount: "1" }],
    ["region", { region: null }],
    ["priceHourly", { priceHourly: "1.9" }],
    ["priceHourly", { priceHourly: -1 }],
    ["priceHourly", { priceHourly: Number.POSITIVE_INFINITY }],
    ["priceHourly", { priceHourly: MAX_PRICE + 1 }],
    ["pricePerGpu", { pricePerGpu: -1 }],
    ["pricePerGpu", { pricePerGpu: null }],
    ["isAvailable", { isAvailable: 1 }],
    ["specs.vcpu", { specs: { ...exampleOffer().specs, vcpu: -1 } }],
    ["specs.ram", { specs: { ...exampleOffer().specs, ram: 0.5 } }],
    ["specs.disk", { specs: { ...exampleOffer().specs, disk: null } }],
    ["storageCostPerGB", { storageCostPerGB: -0.1 }],
    ["storageCostPerGB", { storageCostPerGB: MAX_PRICE + 1 }],
    ["storageMinGB", { storageMinGB: 0.5 }],
    ["storageMaxGB", { storageMaxGB: -1 }],
    ["costDataComplete", { costDataComplete: null }],
    ["deploymentType", { deploymentType: null }],
    ["nvlinkEnabled", { nvlinkEnabled: "yes" }],
    ["interconnect", { interconnect: undefined }],
  ])("is rejected for an invalid %s: %j", (field, changes) => {
    expect(fieldsOf(offerSchema, changed(changes))).toEqual([field]);
  });

  test("never makes a rule throw, at any price", () => {
    const offer = offerSchema.parse(
      changed({ priceHourly: MAX_PRICE, storageCostPerGB: MAX_PRICE, storageMaxGB: Number.MAX_SAFE_INTEGER }),
    );
    const listing = { ...UNKNOWN_LISTING_FACTS, offer };
    expect(matchesListing(listing, { disk: Number.MAX_SAFE_INTEGER, max_total: 1 })).toBe(false);
  });
});

describe("an offer for publishing", () => {
  test("is valid, and matches the readers' schema", () => {
    fc.assert(
      fc.property(arbitraryOffer, (offer) => {
        expect(publishedOfferSchema.parse(offer)).toEqual(offer);
        expect(offerSchema.parse(offer)).toEqual(offer);
      }),
      { seed },
    );
  });

  test.each(DEPLOYMENT_TYPES)("may be %s", (deploymentType) => {
    expect(problemsOf(publishedOfferSchema, changed({ deploymentType }))).toEqual([]);
  });

  test.each([null, "InfiniBand 3200 Gbps"])("may have %j as interconnect", (interconnect) => {
    expect(problemsOf(publishedOfferSchema, changed({ interconnect }))).toEqual([]);
  });

  test("may cost up to the maximum that is computed exactly, with its largest disk", () => {
    const dear = { priceHourly: 0.999_999, pricePerGpu: 0.999_999, storageCostPerGB: 0.000_001 };
    const offer = changed({ ...dear, storageMaxGB: (MAX_PRICE - 1) * 1e6 + 1 });
    expect(problemsOf(publishedOfferSchema, offer)).toEqual([]);
  });

  test("may have texts of a single character", () => {
    const offer = changed({
      gpu: { name: "H", slug: "h", vramGB: 1, architecture: "H" },
      region: "N",
      regionInfo: { countryCode: "NO", countryName: "N", cityState: "", continent: "Europe" },
      interconnect: "I",
    });
    expect(problemsOf(publishedOfferSchema, offer)).toEqual([]);
  });

  test("may be in an unknown region", () => {
    expect(problemsOf(publishedOfferSchema, changed({ regionInfo: UNKNOWN_REGION }))).toEqual([]);
  });

  test.each<[string, Changes]>([
    ["id", { id: "00000000-0000-0000-0000-000000000001" }],
    ["id", { id: "5B0C1F0E-6F0A-5C1E-9A53-0D8A3C5B7E11" }],
    ["provider.name provider.slug", { provider: { name: "Hyperstack", slug: "Hyperstack" } }],
    ["provider.name provider.slug", { provider: { name: "hyper/stack", slug: "hyper/stack" } }],
    ["provider", { provider: { name: "hyperstack", slug: "nebius" } }],
    ["provider", { provider: { name: "hyperstack", slug: "hyperstack", logo: "" } }],
    ["gpu.name", { gpu: { ...exampleOffer().gpu, name: "" } }],
    ["gpu.slug", { gpu: { ...exampleOffer().gpu, slug: "H100" } }],
    ["gpu.vramGB", { gpu: { ...exampleOffer().gpu, vramGB: 100_001 } }],
    ["gpu.vramGB", { gpu: { ...exampleOffer().gpu, vramGB: 0 } }],
    ["gpu.architecture", { gpu: { ...exampleOffer().gpu, architecture: "" } }],
    ["gpu", { gpu: { ...exampleOffer().gpu, tdp: 700 } }],
    ["gpuCount", { gpuCount: 0 }],
    ["gpuCount", { gpuCount: 1_000_000_000, pricePerGpu: 0 }],
    ["region", { region: "" }],
    ["region", { region: "NORWAY\n1" }],
    ["region", { region: "NORWAY-1\u202e" }],
    ["region", { region: "N".repeat(201) }],
    ["regionInfo.countryCode", { regionInfo: { ...exampleOffer().regionInfo, countryCode: "no" } }],
    ["regionInfo.countryName", { regionInfo: { ...exampleOffer().regionInfo, countryName: "" } }],
    ["regionInfo.cityState", { regionInfo: { ...exampleOffer().regionInfo, cityState: "\u0000" } }],
    ["regionInfo.continent", { regionInfo: { ...exampleOffer().regionInfo, continent: "europe" } }],
    ["regionInfo", { regionInfo: { ...exampleOffer().regionInfo, zone: "a" } }],
    ["regionInfo", { regionInfo: { ...exampleOffer().regionInfo, countryCode: "ZZ" } }],
    ["regionInfo", { regionInfo: { ...exampleOffer().regionInfo, countryName: "Unknown" } }],
    ["regionInfo", { regionInfo: { ...exampleOffer().regionInfo, continent: "Unknown" } }],
    ["regionInfo", { regionInfo: { ...UNKNOWN_REGION, countryName: "Atlantis" } }],
    ["priceHourly", { priceHourly: 0, pricePerGpu: 0 }],
    ["pricePerGpu", { pricePerGpu: 1.899_999 }],
    ["specs", { specs: { ...exampleOffer().specs, nic: 1 } }],
    ["storageCostPerGB", { storageCostPerGB: 0.1 + 0.2 }],
    ["storageMinGB", { storageMinGB: 2001 }],
    ["storageMaxGB", { priceHourly: 0.01, pricePerGpu: 0.01, storageCostPerGB: 499_999.9995 }],
    ["deploymentType", { deploymentType: "kubernetes" }],
    ["interconnect", { interconnect: "" }],
    ["interconnect", { interconnect: { gbps: 3200 } }],
    ["", { launchTime: 30 }],
  ])("is rejected for an invalid %s: %j", (field, changes) => {
    expect(fieldsOf(publishedOfferSchema, changed(changes))).toEqual(field.split(" "));
  });

  test("is rejected with the price it should have", () => {
    expect(problemsOf(publishedOfferSchema, changed({ gpuCount: 3, priceHourly: 2, pricePerGpu: 0.67 }))).toEqual([
      "pricePerGpu: must be priceHourly / gpuCount = 0.666667, not 0.67",
    ]);
    expect(problemsOf(publishedOfferSchema, changed({ pricePerGpu: 1.899_999_999_9 }))).toEqual([
      "pricePerGpu: must be a price from 0 with at most 6 decimals",
      "pricePerGpu: must be priceHourly / gpuCount = 1.9, not 1.8999999999",
    ]);
  });

  test("is rejected with several problems at once", () => {
    expect(
      problemsOf(publishedOfferSchema, changed({ storageMinGB: 9, storageMaxGB: 8, gpuCount: 2, region: "\t" })),
    ).toEqual([
      "region: must not contain control or invisible characters",
      "storageMinGB: must not be above storageMaxGB (9 > 8)",
      "pricePerGpu: must be priceHourly / gpuCount = 0.95, not 1.9",
    ]);
  });

  test.each([1e12, -1, 0.1 + 0.2, Number.NaN])("is rejected without throwing for a price of %d", (price) => {
    const offer = changed({ priceHourly: price, pricePerGpu: price, storageCostPerGB: price, gpuCount: 0 });
    expect(fieldsOf(publishedOfferSchema, offer)).toEqual(
      expect.arrayContaining(["gpuCount", "priceHourly", "pricePerGpu", "storageCostPerGB"]),
    );
    for (const field of ["priceHourly", "storageCostPerGB"]) {
      expect(fieldsOf(publishedOfferSchema, changed({ [field]: price }))).toContain(field);
    }
  });
});

describe("the price per GPU", () => {
  test.each([
    [15.92, 8, 1.99],
    [2, 3, 0.666_667],
    [1, 3, 0.333_333],
    [0.000_001, 2, 0.000_001],
    [MAX_PRICE, 1, MAX_PRICE],
  ])("of %d USD over %i GPUs is %d", (priceHourly, gpuCount, each) => {
    expect(pricePerGpu(priceHourly, gpuCount)).toBe(each);
  });

  test("is the quotient rounded to the nearest micro-dollar", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 10_000 }), (whole, gpuCount) => {
        const micros = whole % (MAX_PRICE * 1e6);
        const each = BigInt(toMicros(pricePerGpu(micros / 1e6, gpuCount)));
        const exact = (BigInt(micros) * 2n + BigInt(gpuCount)) / (2n * BigInt(gpuCount));
        expect(each).toBe(exact);
      }),
      { seed, numRuns: 1000 },
    );
  });
});

test("a reader accepts long texts up to a limit", () => {
  const named = (name: string) => exampleOffer({ gpu: { ...exampleOffer().gpu, name } });
  expect(offerSchema.safeParse(named("x".repeat(2000))).success).toBe(true);
  expect(offerSchema.safeParse(named("x".repeat(2001))).success).toBe(false);
  const { regionInfo } = exampleOffer();
  expect(
    offerSchema.safeParse(exampleOffer({ regionInfo: { ...regionInfo, cityState: "x".repeat(2001) } })).success,
  ).toBe(false);
});

test.each([0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])("no price per GPU exists for %d GPUs", (gpuCount) => {
  expect(() => pricePerGpu(1, gpuCount)).toThrow(
    new RangeError(`A GPU count must be a finite number of at least 1, not ${gpuCount}.`),
  );
});

test("an offer with several invalid numbers is rejected without an exception", () => {
  for (const count of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    const offer = changed({ gpuCount: count, storageMinGB: count, storageMaxGB: count });
    expect(fieldsOf(publishedOfferSchema, offer)).toContain("gpuCount");
    expect(fieldsOf(publishedOfferSchema, changed({ storageMaxGB: count }))).toContain("storageMaxGB");
  }
});
