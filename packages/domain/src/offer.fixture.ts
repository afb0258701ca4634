import fc from "fast-check";
import { pricePerGpu, type Offer } from "./offer.js";
import { CONTINENTS } from "./region.js";

// Offers for tests: one plain example, and arbitrary ones with many equal values, so that ties occur.

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

const slugs = ["h100-sxm", "h100-pcie", "h200-sxm", "b200-sxm", "rtx-4090", "l40s"];

/** Offers out of a small vocabulary, with the rules of a published offer. */
export const arbitraryOffer: fc.Arbitrary<Offer> = fc
  .record({
    id: fc.uuid(),
    slug: fc.constantFrom(...slugs),
    continent: fc.constantFrom(...CONTINENTS, "Unknown"),
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
      regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "", continent },
      priceHourly,
      pricePerGpu: pricePerGpu(priceHourly, gpuCount),
      isAvailable,
      storageCostPerGB,
      storageMinGB,
      storageMaxGB,
    });
  });

/** Lists of offers with distinct ids. */
export const arbitraryOffers = (maxLength: number): fc.Arbitrary<Offer[]> =>
  fc.uniqueArray(arbitraryOffer, { maxLength, selector: (offer) => offer.id });

/** Queries as a caller writes them: texts, some of them about things that do not exist. */
export const arbitraryQuery: fc.Arbitrary<Record<string, string>> = fc
  .record(
    {
      gpu: fc.subarray([...slugs, "no-such-gpu"], { minLength: 1 }).map((list) => list.join(",")),
      continent: fc.subarray([...CONTINENTS], { minLength: 1 }).map((list) => list.join(",")),
      counts: fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 })),
      bounds: fc.constantFrom("min", "max", "both"),
      sort_by: fc.constantFrom("pricePerGpu", "priceHourly", "gpuCount"),
      sort_order: fc.constantFrom("asc", "desc"),
      page: fc.integer({ min: 0, max: 20 }).map(String),
      size: fc.integer({ min: 1, max: 100 }).map(String),
    },
    { requiredKeys: [] },
  )
  .map(({ counts, bounds, ...query }) => ({
    ...query,
    ...(counts !== undefined && bounds !== "max" ? { min_gpu_count: String(counts[0]) } : {}),
    ...(counts !== undefined && bounds !== "min" ? { max_gpu_count: String(counts[0] + counts[1]) } : {}),
  }));
