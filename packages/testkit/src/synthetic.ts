import { createHash } from "node:crypto";
import { CONTINENTS, gpuModels, pricePerGpu, type Offer } from "@gpu-offers/domain";

// Catalogs of any size, identical for the same seed: many models, all continents, real instance sizes, and prices that
// are often equal, as in real price lists.

/** Seed of generated tests, synthetic catalogs and query lists, so that failures are reproducible. */
export const SEED = 20_261_120;

const PLACES = [
  ["Africa", "ZA", "South Africa"],
  ["Asia", "JP", "Japan"],
  ["Europe", "NO", "Norway"],
  ["North America", "US", "United States"],
  ["Oceania", "AU", "Australia"],
  ["South America", "BR", "Brazil"],
] as const;

/** Numbers from 0 to 1, identical for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` offers of the provider `synthetic`. */
export function* syntheticOffers(count: number, seed = SEED): Generator<Offer> {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  for (let number = 0; number < count; number++) {
    const model = pick(gpuModels);
    const gpuCount = pick([1, 1, 1, 2, 4, 8, 8, 16]);
    const [continent, countryCode, countryName] = pick(PLACES);
    const priceHourly = Math.round(gpuCount * (0.2 + random() * 8) * 100) / 100;
    const isFixed = random() < 0.4;
    yield {
      id: uuidOf(`${seed}/${number}`),
      provider: { name: "synthetic", slug: "synthetic" },
      gpu: { name: model.name, slug: model.slug, vramGB: model.vramGb, architecture: model.architecture },
      gpuCount,
      region: `region-${number % 97}`,
      regionInfo: { countryCode, countryName, cityState: "", continent },
      priceHourly,
      pricePerGpu: pricePerGpu(priceHourly, gpuCount),
      isAvailable: random() < 0.8,
      specs: { vcpu: gpuCount * 16, ram: gpuCount * 128, disk: isFixed ? 500 : 0 },
      storageCostPerGB: isFixed ? 0 : 0.00014,
      storageMinGB: isFixed ? 500 : 50,
      storageMaxGB: isFixed ? 500 : 2000,
      costDataComplete: true,
      deploymentType: "virtual",
      nvlinkEnabled: model.nvlink && gpuCount > 1,
      interconnect: null,
    };
  }
}

/** `count` different queries as query strings: every filter, every order, first and deep pages. */
export function syntheticQueries(count: number, offers: number, seed = SEED): string[] {
  const random = randomNumbers(seed + 1);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const queries = new Set<string>();
  while (queries.size < count) {
    const query = new URLSearchParams();
    if (random() < 0.6) {
      query.set("gpu", Array.from({ length: pick([1, 1, 2, 4]) }, () => pick(gpuModels).slug).join(","));
    }
    if (random() < 0.5) {
      query.set("continent", [...new Set([pick(CONTINENTS), pick(CONTINENTS)])].join(","));
    }
    if (random() < 0.3) {
      query.set("min_gpu_count", String(pick([1, 2, 4])));
    }
    if (random() < 0.3) {
      query.set("max_gpu_count", String(pick([4, 8, 16])));
    }
    query.set("sort_by", pick(["pricePerGpu", "priceHourly", "gpuCount"]));
    query.set("sort_order", pick(["asc", "desc"]));
    // Half of the pages are first pages; the others are anywhere that a broad query still has offers.
    query.set("page", String(random() < 0.5 ? 0 : Math.floor(random() * Math.min(4_000, offers / 200))));
    queries.add(query.toString());
  }
  return [...queries];
}

function uuidOf(text: string): string {
  const digest = createHash("sha1").update(text).digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
