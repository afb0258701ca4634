import type { Offer } from "./offer-schema.js";
import type { OsImage } from "./os-image-schema.js";
import { hourlyCostMicros, isDiskFixed } from "./storage.js";

// Between looking at an offer and taking it, the catalog may have changed.

/** What a person chose, as they saw it. */
export interface ChosenOffer {
  readonly offer: Offer;
  /** Id of the image; left out: the provider's default. */
  readonly osImageId?: string | undefined;
  /** Disk in GB; left out where it is fixed and included. */
  readonly diskGb?: number | undefined;
}

/** The same as the service has it now. */
export interface CurrentOffer {
  /** Undefined when there is no such offer any more. */
  readonly offer: Offer | undefined;
  /** Images of the offer's provider. */
  readonly images: readonly OsImage[];
}

/** What has become of a choice; the first of these that holds. */
export type Recheck =
  | { readonly kind: "gone" }
  /** It is listed, and cannot be rented. */
  | { readonly kind: "unavailable"; readonly offer: Offer }
  /** It costs something else with the chosen disk, or is no longer known to cost all that. */
  | { readonly kind: "repriced"; readonly before: Offer; readonly offer: Offer }
  | { readonly kind: "imageGone"; readonly offer: Offer; readonly osImageId: string }
  | { readonly kind: "ok"; readonly offer: Offer };

/** Whether a chosen offer is still what it was: there, available, at its price, with its image. */
export function recheck(chosen: ChosenOffer, now: CurrentOffer): Recheck {
  const { offer: before, osImageId } = chosen;
  const { offer, images } = now;
  if (offer === undefined) {
    return { kind: "gone" };
  }
  if (!offer.isAvailable) {
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

/** Whether an offer still costs, with its smallest disk or one of `diskGb`, what it cost before, and as certainly. */
function costsTheSame(before: Offer, now: Offer, diskGb: number | undefined): boolean {
  const chosenGb = diskGb ?? before.storageMinGB;
  return (
    isDiskFixed(before) === isDiskFixed(now) &&
    // A fixed disk is part of what is paid for.
    (!isDiskFixed(before) || before.storageMinGB === now.storageMinGB) &&
    before.costDataComplete === now.costDataComplete &&
    hourlyCostMicros(before, chosenGb) === hourlyCostMicros(now, chosenGb)
  );
}
