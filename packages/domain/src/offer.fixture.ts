import * as fc from "fast-check";
import { AVAILABILITIES } from "./offer/availability.js";
import type { ListingFacts, StatedFacts } from "./offer/listing-schema.js";
import { listingFacts } from "./offer/listing.js";
import { listOffersQuerySchema } from "./offer-query/offer-query-schema.js";
import type { Offer } from "./offer/offer-schema.js";
import { SORT_KEYS, SORT_ORDERS } from "./offer-query/offer-sort.js";
import { DEPLOYMENT_TYPES, pricePerGpu } from "./offer/offer.js";
import { SELLERS, SPOT_KINDS } from "./provider/seller.js";
import type { OsImage } from "./image/os-image-schema.js";
import { present } from "./present.js";
import { CONTINENTS } from "./place/continent.js";
import { UNKNOWN_REGION } from "./place/region.js";
import { UNKNOWN_STORAGE, type StorageTerms } from "./offer/storage.js";
import type { Storage } from "./offer/storage-schema.js";

// Offers for tests: one plain example, and arbitrary ones with many equal values, so that ties occur.

/** Texts of any characters, as `unit: "binary"` makes them: its table of all characters takes 0.7 s and 200 MB. */
export const anyText = (constraints: fc.StringConstraints = {}) => fc.string({ ...constraints, unit: character });

// Every code point but the 0x800 surrogates, which start at 0xd800.
const character = fc.integer({ min: 0, max: 0x10_f7ff }).map(
  (number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800),
  (text) => {
    const code = String(text).codePointAt(0) ?? 0;
    const isOne = text === String.fromCodePoint(code) && text.isWellFormed();
    return isOne ? code - (code < 0xd800 ? 0 : 0x800) : Number.NaN;
  },
);

/** A variable-disk H100 in Norway; `changes` replaces whole fields. */
export function exampleOffer(changes: Partial<Offer> = {}): Offer {
  return {
    id: "5b0c1f0e-6f0a-5c1e-9a53-0d8a3c5b7e11",
    provider: { name: "hyperstack", slug: "hyperstack" },
    gpu: { name: "H100 PCIe", slug: "h100-pcie", vramGB: 80, architecture: "Hopper" },
    gpuCount: 1,
    region: "NORWAY-1",
    regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent: "Europe" },
    priceHourly: 1.9,
    pricePerGpu: 1.9,
    isAvailable: true,
    specs: { vcpu: 28, ram: 180, disk: 0 },
    storageCostPerGB: 0.00014,
    storageMinGB: 50,
    storageMaxGB: 2000,
    costDataComplete: true,
    deploymentType: "virtual",
    nvlinkEnabled: false,
    interconnect: null,
    ...changes,
  };
}

/** An Ubuntu image with Docker and without CUDA; `changes` replaces whole fields. */
export function exampleImage(changes: Partial<OsImage> = {}): OsImage {
  return {
    id: "ubuntu-24.04",
    displayName: "Ubuntu 24.04",
    slug: "ubuntu-24.04",
    hasCuda: false,
    cudaVersion: null,
    hasDocker: true,
    isDefault: true,
    ...changes,
  };
}

const slugs = ["h100-sxm", "h100-pcie", "h200-sxm", "b200-sxm", "rtx-4090", "l40s"];

/** Offers from a small vocabulary, following the rules of a published offer. */
export const arbitraryOffer: fc.Arbitrary<Offer> = fc
  .record({
    id: fc.uuid(),
    slug: fc.constantFrom(...slugs),
    continent: fc.constantFrom(...CONTINENTS, undefined),
    gpuCount: fc.constantFrom(1, 2, 4, 8, 10),
    priceMicros: fc.oneof(fc.constantFrom(1_000_000, 2_000_000, 3_333_333), fc.integer({ min: 1, max: 90_000_000 })),
    isAvailable: fc.boolean(),
    storage: fc.constantFrom([0, 200, 200], [0.00014, 50, 2000], [0, 0, 0], [0, 10, 100]),
  })
  .map(({ id, slug, continent, gpuCount, priceMicros, isAvailable, storage }) => {
    const [storageCostPerGB = 0, storageMinGB = 0, storageMaxGB = 0] = storage;
    const priceHourly = priceMicros / 1e6;
    return exampleOffer({
      id,
      gpu: { name: slug, slug, vramGB: 80, architecture: "Hopper" },
      gpuCount,
      regionInfo:
        continent === undefined
          ? UNKNOWN_REGION
          : { countryCode: "NO", countryName: "Norway", cityState: "", continent },
      priceHourly,
      pricePerGpu: pricePerGpu(priceHourly, gpuCount),
      isAvailable,
      storageCostPerGB,
      storageMinGB,
      storageMaxGB,
    });
  });

/** Storage terms with sizes up to 40 GB, many of them fixed. */
export const arbitraryTerms: fc.Arbitrary<StorageTerms> = fc
  .record({ costMicros: fc.constantFrom(0, 0, 1, 140, 97), bound: fc.nat(20), span: fc.constantFrom(0, 0, 1, 20) })
  .map(({ costMicros, bound, span }) => ({
    storageCostPerGB: costMicros / 1e6,
    storageMinGB: bound,
    storageMaxGB: bound + span,
  }));

/** A disk_gb that may match {@link arbitraryTerms}, or not, or be missing. */
export const arbitraryDisk: fc.Arbitrary<number | undefined> = fc.oneof(
  { arbitrary: fc.integer({ min: -2, max: 42 }), weight: 4 },
  { arbitrary: fc.constantFrom(undefined, 10.5, Number.NaN, Number.POSITIVE_INFINITY), weight: 1 },
);

/** Lists of offers with distinct ids. */
export const arbitraryOffers = (maxLength: number): fc.Arbitrary<Offer[]> =>
  fc.uniqueArray(arbitraryOffer, { maxLength, selector: (offer) => offer.id });

/** Texts of each parameter of the list, some of them with unknown values. */
const parameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
  gpu: fc.subarray([...slugs, "no-such-gpu"], { minLength: 1 }).map((list) => list.join(",")),
  continent: fc.subarray([...CONTINENTS], { minLength: 1 }).map((list) => list.join(",")),
  min_gpu_count: fc.integer({ min: 1, max: 12 }).map(String),
  max_gpu_count: fc.integer({ min: 1, max: 24 }).map(String),
  sort_by: fc.constantFrom(...SORT_KEYS),
  sort_order: fc.constantFrom(...SORT_ORDERS),
  page: fc.integer({ min: 0, max: 20 }).map(String),
  size: fc.integer({ min: 1, max: 100 }).map(String),
};

/** Texts of a parameter of `listOffersQuerySchema`; a new parameter needs a line above. */
export function arbitraryText(name: string): fc.Arbitrary<string> {
  return present(parameters[name]);
}

/** Queries as a caller writes them, of any parameters that the schema has. */
export const arbitraryQuery: fc.Arbitrary<Record<string, string>> = fc
  .record(Object.fromEntries(Object.keys(listOffersQuerySchema.shape).map((name) => [name, arbitraryText(name)])), {
    requiredKeys: [],
  })
  .map((texts) => texts as Record<string, string>)
  .filter((texts) => listOffersQuerySchema.safeParse(texts).success);

/** Instance types of {@link arbitraryListing}. */
export const instanceTypes = ["p5.48xlarge", "g6.xlarge", "n3-H100x2"];

/** Disks by the month, in sizes with prices of their own, beside an included one, and of unknown price. */
export const exampleStorages: readonly Storage[] = [
  { ...UNKNOWN_STORAGE, includedGb: 0, minGb: 8, maxGb: 16_384, pricePerGbMonth: 0.08 },
  {
    ...UNKNOWN_STORAGE,
    includedGb: 0,
    minGb: 32,
    maxGb: 128,
    steps: [
      { gb: 32, pricePerMonth: 5.28 },
      { gb: 64, pricePerMonth: 10.21 },
      { gb: 128, pricePerMonth: 19.71 },
    ],
  },
  { ...UNKNOWN_STORAGE, includedGb: 200, minGb: 200, maxGb: 10_200, minAddedGb: 10, pricePerGbMonth: 0.1 },
  { ...UNKNOWN_STORAGE, includedGb: 200, minGb: 200 },
  { ...UNKNOWN_STORAGE, minGb: 5, maxGb: 10_000, hoursPerMonth: 720 },
];

/** Facts in which each may be unknown. */
export const arbitraryFacts: fc.Arbitrary<StatedFacts> = fc.record({
  instanceType: fc.constantFrom(...instanceTypes, null),
  providerOfferId: fc.constantFrom("384826", null),
  seller: fc.constantFrom(...SELLERS, null),
  verified: fc.constantFrom(true, false, null),
  reliability: fc.constantFrom(0.99, null),
  egressPerGB: fc.constantFrom(0.005, null),
  ingressPerGB: fc.constantFrom(0.002, null),
  rentableUntil: fc.constantFrom("2027-03-01T12:00:00.000Z", null),
  bootSeconds: fc.constantFrom({ min: 180, max: 300 }, null),
  spotInterruption: fc.constantFrom("5-10%", null),
  availability: fc.constantFrom(...AVAILABILITIES, null),
  stockLevel: fc.constantFrom("High", null),
  spot: fc.oneof(
    fc.constant(null),
    fc.record({ priceHourly: fc.constantFrom(0.25, 0.5, 1, 3), kind: fc.constantFrom(...SPOT_KINDS) }),
  ),
  storage: fc.constantFrom(null, ...exampleStorages),
  isCostComplete: fc.constantFrom(true, false, null),
});

/** An offer with its facts; terms vary more than those of {@link arbitraryOffer}. */
export const arbitraryListing: fc.Arbitrary<ListingFacts & { offer: Offer }> = fc
  .record({
    offer: arbitraryOffer,
    facts: arbitraryFacts,
    provider: fc.constantFrom("aws", "vast", "lambda"),
    region: fc.constantFrom("us-east-1", "us-east-1/use1-az4", "Texas, US"),
    deploymentType: fc.constantFrom(...DEPLOYMENT_TYPES),
    nvlinkEnabled: fc.boolean(),
    interconnect: fc.constantFrom("InfiniBand 3200 Gbps", null),
    costDataComplete: fc.boolean(),
    vcpu: fc.constantFrom(0, 32, 192),
    ram: fc.constantFrom(0, 256, 2048),
  })
  .map(({ offer: base, facts, provider, vcpu, ram, ...changes }) => {
    const gpu = { ...base.gpu, vramGB: /4090|l40s/.test(base.gpu.slug) ? 24 : 80 };
    const named = { gpu, provider: { name: provider, slug: provider }, specs: { vcpu, ram, disk: 0 } };
    const offer: Offer = Object.assign(base, changes, named);
    return Object.assign(listingFacts(facts, offer), { offer });
  });
