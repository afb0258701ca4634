import type { Offer } from "@gpu-offers/domain";

/** A row of a list. */
export interface OfferRow {
  /** The offer, or the first one of a group. */
  offer: Offer;
  /** All offers of a group; undefined if the row is a single offer. */
  places?: readonly Offer[];
  /** Length of the longest region of its open group, if it is below one. */
  regionLength?: number;
}
