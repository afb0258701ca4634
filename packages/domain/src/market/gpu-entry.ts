import { memoized } from "../memoized.js";
import { gpuFactNote, gpuFactSources } from "../gpu/gpu-fact-sources.js";
import { gpuFacts, UNKNOWN_GPU_FACTS } from "../gpu/gpu-facts.js";
import type { GpuEntry, Market } from "./gpu-entry-schema.js";
import { gpuModels, type GpuModel } from "../gpu/gpu-models.js";
import { marketParts, mergeMarket, type MarketListing, type MarketPart, type ProviderAge } from "./market.js";
import { present } from "../present.js";

// GPUs that are known or listed, each with its facts and its market.

type Card = Pick<GpuEntry, "slug" | "name" | "vendor" | "family" | "architecture" | "form" | "vramGB">;

/**
 * All known models in the order of their tables, then GPUs that are listed only, by slug.
 * @param ageOf the age of a provider's prices.
 */
export function listGpus(
  parts: readonly MarketPart[],
  ageOf: (provider: string) => ProviderAge | undefined,
): GpuEntry[] {
  const partsOf = new Map<string, MarketPart[]>();
  for (const part of parts) {
    memoized<string, MarketPart[]>(partsOf, part.gpu.slug, () => []).push(part);
  }
  const known = new Set(gpuModels.map(({ slug }) => slug));
  const others = [...partsOf].filter(([slug]) => !known.has(slug)).sort(([a], [b]) => (a < b ? -1 : 1));
  const cards = [...gpuModels.map(cardOf), ...others.map(([, [part]]) => listedCard(present(part).gpu))];
  return cards.map((card) => entryOf(card, mergeMarket(partsOf.get(card.slug) ?? [], ageOf)));
}

/**
 * {@link listGpus} of listings without a service, which nothing else is known of.
 * @param pricesAsOf dates of prices by provider: ISO 8601, UTC.
 */
export function listGpusOf(
  listings: readonly Pick<MarketListing, "offer" | "spot" | "verified" | "availability" | "sample">[],
  pricesAsOf: ReadonlyMap<string, string>,
): GpuEntry[] {
  const parts = marketParts(listings.map((listing) => ({ ...listing, isStale: false })));
  return listGpus(parts, (provider) => ({ pricesAsOf: pricesAsOf.get(provider) ?? null, stock: "unknown" }));
}

function entryOf(card: Card, market: Market): GpuEntry {
  return {
    ...card,
    ...(gpuFacts(card.slug) ?? UNKNOWN_GPU_FACTS),
    note: gpuFactNote(card.slug),
    sources: card.vendor === null ? {} : gpuFactSources(card.slug),
    market,
  };
}

function cardOf({ slug, name, vendor, family, architecture, formFactor, vramGb }: GpuModel): Card {
  return { slug, name, vendor, family, architecture, form: formFactor, vramGB: vramGb };
}

function listedCard({ slug, name, architecture, vramGB }: MarketPart["gpu"]): Card {
  return { slug, name, vendor: null, family: null, architecture, form: null, vramGB };
}
