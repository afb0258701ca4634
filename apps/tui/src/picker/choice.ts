import { isDiskFixed, type Offer, type OsImage } from "@gpu-offers/domain";
import { paidDiskGb } from "../output/offer-cost.js";
import { composeResult, type Composed } from "../output/result.js";
import type { Fault } from "./fault.js";
import { fieldOf, type TextField } from "./text-field.js";

// The way from an offer to a deployment: image, disk, confirmation.

/** Steps in their order. */
export const STAGES = ["offer", "image", "disk", "confirm"] as const;

/** One of {@link STAGES}. */
export type Stage = (typeof STAGES)[number];

/** What asking the server again has brought. */
export type Check =
  | { kind: "open" }
  | { kind: "checking" }
  | { kind: "repriced"; before: Offer }
  | { kind: "gone"; closest: readonly Offer[] }
  | { kind: "failed"; fault: Fault };

/** A choice that is being made. It outlives a step back to the list, so that the answers are kept. */
export interface Choice {
  stage: Stage;
  offer: Offer;
  imageCursor: number;
  disk: TextField;
  /** What is wrong with the last answer. */
  fault?: string | undefined;
  check: Check;
}

/** A new choice: the disk starts with what was asked for, as far as the offer can have it. */
export function choiceOf(offer: Offer, neededGb: number | undefined): Choice {
  return {
    stage: "offer",
    offer,
    imageCursor: 0,
    disk: fieldOf(String(paidDiskGb(offer, neededGb))),
    check: { kind: "open" },
  };
}

/** The disk that is typed in, GB; NaN when it is no number, undefined where the offer's is fixed. */
export function chosenDisk({ offer, disk }: Choice): number | undefined {
  if (isDiskFixed(offer)) {
    return undefined;
  }
  return /^\d{1,9}$/.test(disk.text) ? Number(disk.text) : Number.NaN;
}

/** Whether a step has no more than one answer; images that are not here yet leave it open. */
export function isSkipped(stage: Stage, { offer }: Choice, images: readonly OsImage[] | undefined): boolean {
  switch (stage) {
    case "image":
      return images !== undefined && images.length <= 1;
    case "disk":
      return isDiskFixed(offer);
    case "offer":
    case "confirm":
      return false;
  }
}

/** The next step with a choice, from a step onwards or backwards. */
export function stageBeyond(choice: Choice, images: readonly OsImage[] | undefined, direction: 1 | -1): Stage {
  let place = STAGES.indexOf(choice.stage) + direction;
  while (isSkipped(STAGES[place] ?? "confirm", choice, images)) {
    place += direction;
  }
  return STAGES[place] ?? "confirm";
}

/** The deployment of a choice as it stands, or its faults. */
export function composeChoice(choice: Choice, images: readonly OsImage[], asOf: string): Composed {
  const image = images.length > 1 ? images[choice.imageCursor] : undefined;
  return composeResult({ offer: choice.offer, images, osImageId: image?.id, diskGb: chosenDisk(choice), asOf });
}

/** Offers that can take the place of one that is gone: the same GPU and count first, then the nearest price. */
export function closestOffers(offers: readonly Offer[], gone: Offer, count = 3): Offer[] {
  const distance = (offer: Offer): number =>
    (offer.gpu.slug === gone.gpu.slug ? 0 : 2e9) +
    (offer.gpuCount === gone.gpuCount ? 0 : 1e9) +
    Math.abs(offer.priceHourly - gone.priceHourly);
  return offers
    .filter((offer) => offer.id !== gone.id && offer.isAvailable)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, count);
}
