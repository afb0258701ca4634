import type { Offer } from "@gpu-offers/domain";
import type { Tables } from "./tables.js";

// An offer as a row of the table: the bytes that are served, and beside them what the index is made of.

/** A row of the offer table; `body` is the offer as it is served, as JSON. */
export type StoredOffer = Tables["offer"];

/** All columns of the table. */
export const OFFER_COLUMNS = [
  "id",
  "provider",
  "gpu_slug",
  "continent",
  "gpu_count",
  "price_hourly",
  "price_per_gpu",
  "body",
  "scope",
] as const satisfies (keyof StoredOffer)[];

/** The row of an offer; `scope` is the part of its live source that it came with. */
export function toStoredOffer(offer: Offer, scope: string | null = null): StoredOffer {
  return {
    id: offer.id,
    provider: offer.provider.name,
    gpu_slug: offer.gpu.slug,
    continent: offer.regionInfo.continent,
    gpu_count: offer.gpuCount,
    price_hourly: offer.priceHourly,
    price_per_gpu: offer.pricePerGpu,
    body: JSON.stringify(offer),
    scope,
  };
}
