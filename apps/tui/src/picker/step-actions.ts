import {
  checkDisk,
  isDiskFixed,
  isSoldOut,
  storageOf,
  type ListedOffer,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";
import { choiceOf, chosenDisk, composeChoice, firstWanted, adjacentStage, touched, type Choice } from "./choice.js";
import { movedCursor } from "./cursor.js";
import { step, type Step } from "./event.js";
import { imageListOf, imagesOf, loadedImages } from "./image-list.js";
import type { Action, Key } from "./keys.js";
import { readImages, readImagesOnce } from "./provider-images.js";
import { listHeight, type PickerState } from "./state.js";
import { edit, EDIT_NAMES, fieldOf, insert, paste, type EditName, type TextField } from "./text-field.js";

// Handles keys of the steps from an offer to a deployment.

/** Opens the first step for an offer that isn't sold out. */
export function choose(state: PickerState, offer: ListedOffer): Step {
  return isSoldOut(offer)
    ? step({ ...state, notice: "This offer is sold out. Press A to hide such offers." })
    : beginChoice(state, offer);
}

/** Opens the first step for an offer. Inputs of an earlier choice of the same offer are kept. */
function beginChoice(state: PickerState, offer: Offer): Step {
  const before = state.choice?.offer.id === offer.id ? touched(state.choice) : {};
  const wanted = { diskGb: state.found.query.disk, imageId: state.wantedImageId };
  const images = imagesOf(state, offer);
  const imageCursor = firstWanted(images, state.found.selection.filter.image?.wanted);
  const choice = { ...choiceOf(offer, wanted), imageCursor, ...before };
  const next = withChoice(state, stepped(choice, images, 1));
  return readImagesOnce(next, imageListOf(offer));
}

/** Handles keys of the steps. */
export function actOnStep(state: PickerState, choice: Choice, action: Action | undefined, key: Key): Step {
  if (action === "back") {
    return step(withChoice(state, stepped(choice, imagesOf(state, choice.offer), -1)));
  }
  switch (choice.stage) {
    case "image":
      return actOnImages(state, choice, action, key);
    case "disk":
      return actOnDisk(state, choice, action, key);
    case "confirm":
      return actOnConfirmation(state, choice, action, key);
    case "offer":
      return step(state);
  }
}

/** Moves the choice a step forward or back, skipping steps without a choice. */
export function stepped(choice: Choice, images: readonly OsImage[] | undefined, direction: 1 | -1): Choice {
  const stage = adjacentStage(choice, images, direction);
  return { ...choice, stage, typedAhead: [], problem: undefined, check: { kind: "open" } };
}

function withChoice(state: PickerState, choice: Choice): PickerState {
  return { ...state, choice };
}

/** Maximum number of keys kept while images are loading. */
const MAX_TYPED_AHEAD = 32;

function actOnImages(state: PickerState, choice: Choice, action: Action | undefined, key: Key): Step {
  const list = imageListOf(choice.offer);
  const { images, problem, loadingSinceMs } = loadedImages(state.images, list);
  if (images === undefined && loadingSinceMs !== undefined) {
    return step(withChoice(state, { ...choice, typedAhead: [...choice.typedAhead, key].slice(0, MAX_TYPED_AHEAD) }));
  }
  if (action === "refresh") {
    return readImages(state, list);
  }
  if (action === "next") {
    // Without the list, the provider's default image can be used, but a requested image can't be verified.
    const isReady = images !== undefined || (problem !== undefined && choice.wantedImageId === undefined);
    return step(isReady ? withChoice(state, stepped(choice, images, 1)) : state);
  }
  const lines = { cursor: choice.imageCursor, count: images?.length ?? 0, height: listHeight(state) };
  const imageCursor = movedCursor(action, lines);
  return step(
    imageCursor === undefined ? state : withChoice(state, { ...choice, imageCursor, isImageProposed: false }),
  );
}

const MAX_DISK_DIGITS = 9;

const DISK_STEPS: Partial<Record<Action, number>> = {
  lessDisk: -10,
  moreDisk: 10,
  muchLessDisk: -100,
  muchMoreDisk: 100,
  leastDisk: Number.NEGATIVE_INFINITY,
  mostDisk: Number.POSITIVE_INFINITY,
};

function actOnDisk(state: PickerState, choice: Choice, action: Action | undefined, key: Key): Step {
  const change = action === undefined ? undefined : DISK_STEPS[action];
  if (change !== undefined) {
    return step(withChoice(state, movedDisk(choice, change)));
  }
  if (action === "next") {
    return acceptDisk(state, choice);
  }
  if (action !== undefined) {
    const isEdit = EDIT_NAMES.has(action);
    return step(isEdit ? withDisk(state, choice, edit(choice.disk, action as EditName)) : state);
  }
  const before = choice.isDiskProposed ? fieldOf("") : choice.disk;
  return step(
    /^\d$/.test(key)
      ? withDigits(state, choice, insert(before, key))
      : withChoice(state, { ...choice, problem: "Enter digits only." }),
  );
}

/** Handles pasted text: a size is inserted into the disk field; other steps have no field. */
export function pasteIntoStep(state: PickerState, choice: Choice, text: string): PickerState {
  if (state.pane !== "none" || choice.stage !== "disk") {
    return { ...state, notice: "Pasted text was ignored: there is no text field here." };
  }
  const [, size] = /^\s*(\d+|\d{1,3}(?:,\d{3})+)\s*(?:gb?)?\s*$/i.exec(text) ?? [];
  const before = choice.isDiskProposed ? fieldOf("") : choice.disk;
  return size === undefined
    ? withChoice(state, { ...choice, problem: "Enter digits only." })
    : withDigits(state, choice, paste(before, size.replaceAll(",", "")));
}

/** The choice with another disk, unless that has more digits than any disk. */
function withDigits(state: PickerState, choice: Choice, disk: TextField): PickerState {
  return disk.text.length > MAX_DISK_DIGITS
    ? withChoice(state, { ...choice, problem: diskProblem({ ...choice, disk }) })
    : withDisk(state, choice, disk);
}

function withDisk(state: PickerState, choice: Choice, disk: TextField): PickerState {
  return withChoice(state, { ...choice, disk, isDiskProposed: false, problem: undefined });
}

function movedDisk(choice: Choice, change: number): Choice {
  const { minGb, maxGb } = storageOf(choice.offer);
  const current = chosenDisk(choice) ?? Number.NaN;
  const from = Number.isNaN(current) ? (minGb ?? 0) : current;
  // Without a maximum, the largest disk that one can go to is the entered one.
  const diskGb = Math.max(minGb ?? 0, Math.min(from + change, maxGb ?? from + Math.min(change, 100)));
  return { ...choice, disk: fieldOf(String(diskGb)), isDiskProposed: false, problem: undefined };
}

function acceptDisk(state: PickerState, choice: Choice): Step {
  const { offer } = choice;
  const check = checkDisk(offer, chosenDisk(choice));
  if (check.ok || isDiskFixed(offer)) {
    return step(withChoice(state, stepped(choice, imagesOf(state, offer), 1)));
  }
  return step(withChoice(state, { ...choice, problem: diskProblem(choice) }));
}

function diskProblem({ offer, disk }: Choice): string {
  const { minGb, maxGb } = storageOf(offer);
  return `Disk must be ${minGb ?? 0}-${maxGb ?? ""} GB${disk.text === "" ? "" : `, not ${disk.text}`}.`;
}

function actOnConfirmation(state: PickerState, choice: Choice, action: Action | undefined, key: Key): Step {
  const { check } = choice;
  if (action === "takeClosest" && check.kind === "gone") {
    const offer = check.closest[Number(key) - 1];
    return offer === undefined ? step(state) : beginChoice({ ...state, choice: undefined }, offer);
  }
  if (action !== "next" || check.kind === "checking" || check.kind === "gone") {
    return step(state);
  }
  const composed = composeChoice(choice, imagesOf(state, choice.offer) ?? []);
  if (!composed.ok) {
    return step(withChoice(state, { ...choice, problem: composed.problems.map(({ reason }) => reason).join(" ") }));
  }
  const number = state.checkCount + 1;
  const checking = withChoice(
    { ...state, checkCount: number },
    { ...choice, problem: undefined, check: { kind: "checking", number, sinceMs: state.nowMs } },
  );
  return step(checking, { kind: "check", number, offer: choice.offer });
}
