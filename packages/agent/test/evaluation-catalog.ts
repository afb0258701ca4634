import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  ListingCatalog,
  priceChange,
  priceSeries,
  type GpuPrices,
  type ListingFacts,
  type Offer,
  type OsImage,
  type MachineDay,
  type MarketPoint,
} from "@gpu-offers/domain";
import { readNative } from "@gpu-offers/sources";
import type { AgentCatalog } from "../src/index.ts";

// The catalog of the evaluation: the starter catalog. It has no spot prices, hosts that aren't verified, or history, so the
// evaluation adds some by fixed rules.

/** An offer of the evaluation, with what its source states beyond it. */
export interface EvaluatedListing extends ListingFacts {
  offer: Offer;
}

/** Medians of a GPU per hour, by days ago. */
export const PAST_PRICES: Readonly<Record<string, readonly (readonly [daysAgo: number, usd: number])[]>> = {
  h100: [
    [400, 3.5],
    [40, 3],
    [5, 2.8],
  ],
  b200: [
    [400, 5],
    [15, 5.5],
  ],
};

const DAY_MS = 86_400_000;

const STARTER = fileURLToPath(new URL("../../../apps/api/catalog/starter.json", import.meta.url));

/** The listings of the evaluation, and the images of their providers. */
export async function readEvaluation(): Promise<{
  listings: readonly EvaluatedListing[];
  images: ReadonlyMap<string, readonly OsImage[]>;
}> {
  const listings: EvaluatedListing[] = [];
  const images = new Map<string, readonly OsImage[]>();
  for await (const item of readNative(createReadStream(STARTER))) {
    if (item.kind === "provider") {
      images.set(item.provider.name, item.provider.images ?? []);
    } else if (item.kind === "offer") {
      listings.push({ ...withMore(item.listing, item.offer, listings.length), offer: item.offer });
    }
  }
  return { listings, images };
}

/** Every third offer has a spot price, 40 % of the price or a bid in turns; every other host of vast isn't verified. */
function withMore(facts: ListingFacts, { priceHourly, provider }: Offer, place: number): ListingFacts {
  const spot =
    place % 3 === 0
      ? { priceHourly: Math.round(priceHourly * 4000) / 10_000, kind: place % 2 === 0 ? "price" : "bid" }
      : null;
  return { ...facts, spot, ...(provider.name === "vast" ? { verified: place % 2 === 0, seller: "host" } : {}) };
}

/** The catalog for the tools. */
export function evaluationCatalog(
  listings: readonly EvaluatedListing[],
  images: ReadonlyMap<string, readonly OsImage[]>,
): AgentCatalog {
  const catalog = ListingCatalog.of(listings, images);
  const byId = new Map(listings.map((listing) => [listing.offer.id, listing]));
  return {
    listOffers: async () => listings.map(({ offer }) => offer),
    listings: async () => catalog,
    findOffer: async (id) => {
      const listing = byId.get(id);
      return listing && { ...listing.offer, listing };
    },
    findImages: async (provider) => images.get(provider),
    pricesAsOf: async () => new Map(listings.map(({ offer }) => [offer.provider.name, "2025-12-01"])),
    findGpuPrices: async (name, { since, step }): Promise<GpuPrices | undefined> => {
      const past = PAST_PRICES[name.toLowerCase()];
      const now = Date.now();
      return (
        past && {
          gpu: name,
          slugs: [name],
          trackedSince: since,
          step,
          change: priceChange(dayOf(past, since), dayOf(past, new Date(now).toISOString())),
          series: priceSeries(
            past.map(([daysAgo, usd]) => pointOf(now - daysAgo * DAY_MS, usd)),
            { sinceMs: Date.parse(since), untilMs: now, step },
          ),
        }
      );
    },
  };
}

/** The last prices until a time, of three machines. */
function dayOf(past: (typeof PAST_PRICES)[string], until: string): MachineDay {
  const usd = past.findLast(([daysAgo]) => Date.now() - daysAgo * DAY_MS <= Date.parse(until))?.[1] ?? 0;
  return { day: until.slice(0, 10), machines: [{ aws: { a: usd, b: usd, c: usd } }] };
}

function pointOf(atMs: number, usd: number): MarketPoint {
  return { atMs, sellers: { aws: { n: 1, p: { 1: [usd] }, r: ["r"] } } };
}
