import type { Offer } from "./offer-schema.js";

// Whether an offer can be had, in four words. v1 has a boolean of its own, which says less: `isAvailable`.

/** Words of {@link availabilityOf}, best first. */
export const AVAILABILITIES = ["in_stock", "listed", "unknown", "sold_out"] as const;

/**
 * `in_stock`: a fresh stock figure of this place and size says so; `listed`: the provider's own price list sells it there, and
 * it publishes no stock; `unknown`: a price without a word on place or stock, or too old; `sold_out`: seen to be none.
 */
export type Availability = (typeof AVAILABILITIES)[number];

/** All but what is sold out: what doors that return one offer, or the best few, choose from. */
export const NOT_SOLD_OUT: readonly Availability[] = ["in_stock", "listed", "unknown"];

/**
 * The word for a row of a source.
 * @param knows What the source can know at all: current stock, the price list of a region, or nothing.
 * @param isAvailable What the row says.
 */
export function statedAvailability(knows: "live" | "listed" | "unknown", isAvailable: boolean): Availability {
  if (knows === "live") {
    return isAvailable ? "in_stock" : "sold_out";
  }
  // A price list names no place of what it doesn't say to be available.
  return knows === "listed" && isAvailable ? "listed" : "unknown";
}

/** What a source states: an offer, and its word; undefined or null if there is none. */
export interface StatedAvailability {
  offer: Pick<Offer, "isAvailable">;
  availability?: string | null | undefined;
  /** Whether it is of the sample: see `isSample`. */
  sample?: boolean | undefined;
}

type WithFacts = Pick<Offer, "isAvailable"> & {
  listing?: { availability: string | null; sample?: boolean | undefined } | undefined;
};

/**
 * The word for a listing: what its reader stated; otherwise what `isAvailable` says, as in a price list of one's own. It is
 * unknown for a sample.
 */
export function availabilityOf({ offer, availability, sample }: StatedAvailability): Availability {
  if (sample === true) {
    return "unknown";
  }
  if (availability == null) {
    return offer.isAvailable ? "listed" : "sold_out";
  }
  return AVAILABILITIES.find((word) => word === availability) ?? "unknown";
}

/** A word as people read it: `sold out`. */
export function availabilityWords(word: string): string {
  return word.replaceAll("_", " ");
}

/** Whether a listing is in stock or listed: what `available` means as a filter and in words. */
export function isOnSale(listing: StatedAvailability): boolean {
  const word = availabilityOf(listing);
  return word === "in_stock" || word === "listed";
}

/** {@link availabilityOf} an offer that carries its facts. */
export function availabilityOfOffer(offer: WithFacts): Availability {
  return availabilityOf({ ...offer.listing, offer });
}

/** Whether an offer was seen to be sold out. */
export function isSoldOut(offer: WithFacts): boolean {
  return availabilityOfOffer(offer) === "sold_out";
}
