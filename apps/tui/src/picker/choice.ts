import {
  isDiskFixed,
  matchesImage,
  type Balance,
  type Offer,
  type OsImage,
  type WantedImage,
} from "@gpu-offers/domain";
import { paidDiskGb } from "../output/offer-cost.js";
import { composeResult, type Composed } from "../output/result.js";
import type { Problem } from "../catalog/problem.js";
import type { Key } from "./keys.js";
import { fieldOf, type TextField } from "./text-field.js";

// The way from an offer to a deployment: image, disk, confirmation.

/** Steps in their order. */
export const STAGES = ["offer", "image", "disk", "confirm"] as const;

/** One of {@link STAGES}. */
export type Stage = (typeof STAGES)[number];

/** What asking the server again has brought. */
export type Check =
  | { kind: "open" }
  | { kind: "checking"; sinceMs: number }
  | { kind: "repriced"; before: Offer }
  | { kind: "gone"; closest: readonly Offer[] }
  | { kind: "failed"; problem: Problem };

/** A choice that is being made. It outlives a step back to the list, so that the responses are kept. */
export interface Choice {
  stage: Stage;
  offer: Offer;
  /** Image that was asked for before the offer was chosen; it is taken where the provider has it. */
  wantedImageId: string | undefined;
  imageCursor: number;
  disk: TextField;
  /** The disk is as it was proposed: the first digit that is typed takes its place. */
  isDiskProposed: boolean;
  /** Keys that came while the images were read; they are for the list that is about to come. */
  typedAhead: readonly Key[];
  /** What is wrong with the last response. */
  problem?: string | undefined;
  check: Check;
}

/** A new choice: the disk starts with what was asked for, as far as the offer can have it. */
export function choiceOf(offer: Offer, wanted: { diskGb?: number | undefined; imageId?: string | undefined }): Choice {
  return {
    stage: "offer",
    offer,
    wantedImageId: wanted.imageId,
    imageCursor: 0,
    disk: fieldOf(String(paidDiskGb(offer, wanted.diskGb))),
    isDiskProposed: true,
    typedAhead: [],
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

/** Whether there is a choice of images: a single one is the provider's default, which a deployment need not name. */
export function hasImageChoice(images: readonly OsImage[]): boolean {
  return images.length > 1;
}

/** Whether a step has no more than one response; images that are not here yet leave it open. */
export function isSkipped(
  stage: Stage,
  { offer, wantedImageId }: Choice,
  images: readonly OsImage[] | undefined,
): boolean {
  switch (stage) {
    case "image":
      return (
        images !== undefined &&
        (wantedImageId === undefined ? !hasImageChoice(images) : images.some(({ id }) => id === wantedImageId))
      );
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

/** Place of the first image that a filter asks for; 0, the default image, where there is no such filter or image. */
export function firstWanted(images: readonly OsImage[] | undefined, wanted: WantedImage | undefined): number {
  return wanted === undefined
    ? 0
    : Math.max(
        0,
        (images ?? []).findIndex((image) => matchesImage(image, wanted)),
      );
}

/** The image of a choice; undefined where the provider has no choice of them, so that its default is taken. */
export function chosenImage({ wantedImageId, imageCursor }: Choice, images: readonly OsImage[]): OsImage | undefined {
  return hasImageChoice(images) ? (images.find(({ id }) => id === wantedImageId) ?? images[imageCursor]) : undefined;
}

/** The deployment of a choice as it stands, or its problems. */
export function composeChoice(
  choice: Choice,
  images: readonly OsImage[],
  { asOf = "", ...known }: { asOf?: string; pricesAsOf?: string | undefined; balance?: Balance | undefined } = {},
): Composed {
  const osImageId = chosenImage(choice, images)?.id;
  return composeResult({ offer: choice.offer, images, osImageId, diskGb: chosenDisk(choice), asOf, ...known });
}

/** So many offers are shown in the place of one that is gone. */
export const CLOSEST = 3;

/** Offers that can take the place of one that is gone: the same GPU and count first, then the nearest price. */
export function closestOffers(offers: readonly Offer[], gone: Offer): Offer[] {
  const distance = (offer: Offer): number =>
    (offer.gpu.slug === gone.gpu.slug ? 0 : 2e9) +
    (offer.gpuCount === gone.gpuCount ? 0 : 1e9) +
    Math.abs(offer.priceHourly - gone.priceHourly);
  return offers
    .filter((offer) => offer.id !== gone.id && offer.isAvailable)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, CLOSEST);
}
