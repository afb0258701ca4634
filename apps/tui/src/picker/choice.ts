import {
  checkDisk,
  isDiskFixed,
  matchesImage,
  type ListingQuery,
  type Offer,
  type OsImage,
  type WantedImage,
  paidDisk,
} from "@gpu-offers/domain";
import { askedDisk, launchDisk } from "@gpu-offers/domain/launching";
import { composeResult, type Choosing, type Composed } from "../output/result.js";
import type { Problem } from "../catalog/offer-source-error.js";
import type { Key } from "./keys.js";
import { firstIndex } from "./offer-view.js";
import { fieldOf, type TextField } from "./text-field.js";

// The steps from an offer to a deployment: image, disk, confirmation.

/** Steps in order. */
export const STAGES = ["offer", "image", "disk", "confirm"] as const;

export type Stage = (typeof STAGES)[number];

type Check =
  | { kind: "open" }
  | { kind: "checking"; number: number; sinceMs: number }
  | { kind: "repriced"; before: Offer }
  | { kind: "gone"; closest: readonly Offer[] }
  | { kind: "failed"; problem: Problem };

/** A choice in progress. It is kept when the user steps back to the list. */
export interface Choice {
  stage: Stage;
  offer: Offer;
  /** What the filters require of the disk. */
  wantedDisk: WantedDisk;
  /** Preselected image, used if the provider has it. */
  wantedImageId: string | undefined;
  imageCursor: number;
  /** Whether the image is the proposed one: the cursor was not moved. */
  isImageProposed: boolean;
  disk: TextField;
  /** Whether the disk is the proposed one, which the first typed digit replaces. */
  isDiskProposed: boolean;
  /** Keys pressed while images were loading, to be replayed on the image list. */
  typedAhead: readonly Key[];
  problem?: string | undefined;
  check: Check;
}

/** What filters require of a disk: a size in GB, or a model whose weights it has room for. */
export type WantedDisk = Pick<ListingQuery, "disk" | "fits">;

/** A new choice. The disk starts with the size that every door launches with. */
export function choiceOf(offer: Offer, query: ListingQuery, imageId?: string): Choice {
  const { fits } = query;
  const disk = askedDisk(query);
  const { diskGb } = launchDisk(offer, { askedGb: disk, fits });
  return {
    stage: "offer",
    offer,
    wantedDisk: { disk, fits },
    wantedImageId: imageId,
    imageCursor: 0,
    isImageProposed: true,
    disk: fieldOf(String(diskGb ?? paidDisk(offer, disk))),
    isDiskProposed: true,
    typedAhead: [],
    check: { kind: "open" },
  };
}

/** The image and the disk that the user selected or entered. Proposed ones follow the filters, which may change. */
export function touched({ isImageProposed, imageCursor, isDiskProposed, disk }: Choice): Partial<Choice> {
  return {
    ...(isImageProposed ? {} : { isImageProposed, imageCursor }),
    ...(isDiskProposed ? {} : { isDiskProposed, disk }),
  };
}

/** The entered disk in GB; NaN if it isn't a number, undefined if the offer's disk is fixed. */
export function chosenDisk({ offer, disk }: Choice): number | undefined {
  if (isDiskFixed(offer)) {
    return undefined;
  }
  return /^\d{1,9}$/.test(disk.text) ? Number(disk.text) : Number.NaN;
}

/** The disk as a launch takes it: the entered one, or what is required of it. */
export function launchedDisk(choice: Choice): Pick<Choosing, "diskGb" | "fits"> {
  const { isDiskProposed, wantedDisk } = choice;
  return isDiskProposed ? { diskGb: wantedDisk.disk, fits: wantedDisk.fits } : { diskGb: chosenDisk(choice) };
}

/** The disk that prices on the screen include: the entered one, or the requested one. */
export function shownDisk(choice: Choice | undefined, requestedGb: number | undefined): number | undefined {
  if (choice === undefined || choice.stage === "offer") {
    return requestedGb;
  }
  const check = checkDisk(choice.offer, chosenDisk(choice));
  return check.ok ? check.diskGb : requestedGb;
}

/** Whether there are several images. A single one is the provider's default, which a deployment needn't name. */
export function hasImageChoice(images: readonly OsImage[]): boolean {
  return images.length > 1;
}

/** Whether a step offers no choice; false while images are loading. */
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

/** The next step with a choice, forward or backward. */
export function adjacentStage(choice: Choice, images: readonly OsImage[] | undefined, direction: 1 | -1): Stage {
  let place = STAGES.indexOf(choice.stage) + direction;
  while (isSkipped(STAGES[place] ?? "confirm", choice, images)) {
    place += direction;
  }
  return STAGES[place] ?? "confirm";
}

/** Index of the first image that matches a filter; 0, the default image, if there is no filter or no match. */
export function firstWanted(images: readonly OsImage[] | undefined, wanted: WantedImage | undefined): number {
  return wanted === undefined ? 0 : firstIndex(images ?? [], (image) => matchesImage(image, wanted));
}

/** The chosen image; undefined if the provider offers no choice, so its default is used. */
export function chosenImage({ wantedImageId, imageCursor }: Choice, images: readonly OsImage[]): OsImage | undefined {
  return hasImageChoice(images) ? (images.find(({ id }) => id === wantedImageId) ?? images[imageCursor]) : undefined;
}

/** The deployment of the current choice, or its problems. */
export function composeChoice(
  choice: Choice,
  images: readonly OsImage[],
  { asOf = "", ...known }: Partial<Pick<Choosing, "asOf" | "pricesAsOf" | "balance" | "hours" | "launchKind">> = {},
): Composed {
  const osImageId = chosenImage(choice, images)?.id;
  return composeResult({ offer: choice.offer, images, osImageId, ...launchedDisk(choice), asOf, ...known });
}
