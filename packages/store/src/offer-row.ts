import {
  isAnyFactKnown,
  listingFactsSchema,
  UNKNOWN_LISTING_FACTS,
  type ListingFacts,
  type Offer,
} from "@gpu-offers/domain";
import { sql, type Transaction } from "kysely";
import { kindOf } from "./database.js";
import type { Tables } from "./tables.js";

// An offer as a table row: the served JSON, and the columns that the index is built from.

/** A row of the offer table; `body` is the served JSON. */
export type StoredOffer = Tables["offer"];

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
  "listing",
] as const satisfies (keyof StoredOffer)[];

/** SQL condition: an offer doesn't say that no place has a machine. Those that do go as soon as a place has it. */
export const mayBeSomewhere = (transaction: Transaction<Tables>) => sql<boolean>`not (
  coalesce(listing, '') like '%"availability":"sold_out"%' and ${kindOf(transaction).textInJson("body", "region")} = 'unknown')`;

/** The row of an offer; `scope` is the part of its live source that it belongs to. */
export function toStoredOffer(
  offer: Offer,
  scope: string | null = null,
  listing: ListingFacts = UNKNOWN_LISTING_FACTS,
): StoredOffer {
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
    listing: isAnyFactKnown(listing) ? JSON.stringify({ ...listing, sample: listing.sample || undefined }) : null,
  };
}

/**
 * SQL condition: an offer isn't sold out, as `availabilityOf` says, and its host isn't stated to be unverified. Matches the
 * text, because parsing it would take long: quotes inside a text are escaped, so that this can only match the field itself.
 */
export const MAY_RENT = sql<boolean>`coalesce(listing, '') not like '%"availability":"sold_out"%' and (body like '%"isAvailable":true%' or coalesce(listing, '') like '%"availability":"%') and coalesce(listing, '') not like '%"verified":false%'`;

/** SQL condition: the price with the smallest disk is known, as of `isAtLeast`. Matches the text, as above. */
export const IS_PRICED = sql<boolean>`(body like '%"costDataComplete":true%' or coalesce(listing, '') like '%"isCostComplete":true%') and coalesce(listing, '') not like '%"isCostComplete":false%'`;

/** What a source stated beyond an offer. Rows of earlier versions, and of sources that state nothing, have no facts. */
export function readFacts({ listing }: Pick<StoredOffer, "listing">): ListingFacts {
  return listing === null ? UNKNOWN_LISTING_FACTS : listingFactsSchema.parse(JSON.parse(listing));
}
