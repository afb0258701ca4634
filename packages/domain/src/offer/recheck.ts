import { isSoldOut } from "./availability.js";
import type { ListedOffer } from "./listed-offer.js";
import type { Offer } from "./offer-schema.js";
import type { OsImage } from "../image/os-image-schema.js";
import { hourlyCostMicros } from "./hourly-cost.js";
import { isAtLeast, isDiskFixed, paidDisk, storageOf, type DiskTerms } from "./storage.js";

// Rechecks a choice, because the catalog may have changed since the offer was shown.

/** The choice, as shown to the user. */
export interface ChosenOffer {
  /** The offer when it was chosen. */
  offer: Offer;
  /** Id of the image; default: the provider's default image. */
  osImageId?: string | undefined;
  /** Disk in GB; undefined if it is fixed and included. */
  diskGb?: number | undefined;
}

/** The current state on the service. */
export interface CurrentOffer {
  /** Undefined if the offer no longer exists. */
  offer: ListedOffer | undefined;
  /** Images of the offer's provider. */
  images: readonly OsImage[];
}

interface Found<Kind extends string> {
  /** What the recheck found. */
  kind: Kind;
  /** The offer as it is now. */
  offer: Offer;
}

/** Result of a recheck; the first that applies. */
export type Recheck =
  | { kind: "gone" }
  /** It is listed, but sold out. */
  | Found<"unavailable">
  /** Its cost with the chosen disk has changed, or is no longer complete. */
  | (Found<"repriced"> & {
      /** The offer when it was chosen. */
      before: Offer;
    })
  | (Found<"imageGone"> & {
      /** Id of the image that is gone. */
      osImageId: string;
    })
  | Found<"ok">;

/** Whether a choice is still valid: listed, not sold out, at the same price, with its image. */
export function recheck(chosen: ChosenOffer, now: CurrentOffer): Recheck {
  const { offer: before, osImageId } = chosen;
  const { offer, images } = now;
  if (offer === undefined) {
    return { kind: "gone" };
  }
  if (isSoldOut(offer)) {
    return { kind: "unavailable", offer };
  }
  if (!costsTheSame(before, offer, chosen.diskGb)) {
    return { kind: "repriced", before, offer };
  }
  if (osImageId !== undefined && !images.some(({ id }) => id === osImageId)) {
    return { kind: "imageGone", offer, osImageId };
  }
  return { kind: "ok", offer };
}

/** Whether an offer's cost, with its smallest disk or one of `diskGb`, and its completeness are unchanged. */
function costsTheSame(before: Offer & DiskTerms, now: Offer & DiskTerms, diskGb: number | undefined): boolean {
  const chosenGb = diskGb ?? paidDisk(before);
  return (
    isDiskFixed(before) === isDiskFixed(now) &&
    // An included disk is part of the price.
    storageOf(before).includedGb === storageOf(now).includedGb &&
    isAtLeast(before, chosenGb) === isAtLeast(now, chosenGb) &&
    hourlyCostMicros(before, chosenGb) === hourlyCostMicros(now, chosenGb)
  );
}
