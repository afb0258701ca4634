import {
  checkDisk,
  isDiskFixed,
  isSoldOut,
  storageOf,
  type ListedOffer,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";
import {
  choiceOf,
  chosenDisk,
  composeChoice,
  firstWanted,
  adjacentStage,
  touched,
  type Choice,
  type Stage,
} from "./choice.js";
import { imageListOf, imagesOf, loadedImages } from "./image-list.js";
import { movedCursor, type Action, type Key } from "./keys.js";
import { readImages, readImagesOnce } from "./read-ahead.js";
import { withCommands, listHeight, type PickerState } from "./state.js";
import { edited, fieldOf, paste, type TextField } from "./text-field.js";

// Handles keys of the steps from an offer to a deployment.

/** Opens the first step for an offer that isn't sold out. */
export function choose(state: PickerState, offer: ListedOffer): PickerState {
  return isSoldOut(offer)
    ? { ...state, notice: "This offer is sold out. Press A to hide such offers." }
    : beginChoice(state, offer);
}

/** Opens the first step for an offer. Inputs of an earlier choice of the same offer are kept. */
function beginChoice(state: PickerState, offer: Offer): PickerState {
  const before = state.choice?.offer.id === offer.id ? touched(state.choice) : {};
  const images = imagesOf(state, offer);
  const imageCursor = firstWanted(images, state.found.selection.filter.image?.wanted);
  const choice = { ...choiceOf(offer, state.found.query, state.wantedImageId), imageCursor, ...before };
  return readImagesOnce(withChoice(state, stepped(choice, images, 1)), imageListOf(offer));
}

export function actOnStep(state: PickerState, action: Action | undefined, key: Key): PickerState {
  const { choice } = state;
  if (choice === undefined) {
    return state;
  }
  return action === "back" ? toStep(state, choice, -1) : HANDLERS[choice.stage](state, choice, action, key);
}

type Handler = (state: PickerState, choice: Choice, action: Action | undefined, key: Key) => PickerState;

const HANDLERS: Record<Stage, Handler> = {
  offer: (state) => state,
  image: actOnImages,
  disk: actOnDisk,
  confirm: actOnConfirmation,
};

/** Moves the choice a step forward or back, skipping steps without a choice. */
export function stepped(choice: Choice, images: readonly OsImage[] | undefined, direction: 1 | -1): Choice {
  const stage = adjacentStage(choice, images, direction);
  return { ...choice, stage, typedAhead: [], problem: undefined, check: { kind: "open" } };
}

function toStep(state: PickerState, choice: Choice, direction: 1 | -1): PickerState {
  return withChoice(state, stepped(choice, imagesOf(state, choice.offer), direction));
}

export function withChoice(state: PickerState, choice: Choice, changes: Partial<Choice> = {}): PickerState {
  return { ...state, choice: { ...choice, ...changes } };
}

/** Maximum number of keys kept while images are loading. */
const MAX_TYPED_AHEAD = 32;

function actOnImages(state: PickerState, choice: Choice, action: Action | undefined, key: Key): PickerState {
  const list = imageListOf(choice.offer);
  const { images, problem, loadingSinceMs } = loadedImages(state.images, list);
  if (images === undefined && loadingSinceMs !== undefined) {
    return withChoice(state, choice, { typedAhead: [...choice.typedAhead, key].slice(0, MAX_TYPED_AHEAD) });
  }
  if (action === "refresh") {
    return readImages(state, list);
  }
  if (action === "next") {
    // Without the list, the provider's default image can be used, but a requested image can't be verified.
    const isReady = images !== undefined || (problem !== undefined && choice.wantedImageId === undefined);
    return isReady ? toStep(state, choice, 1) : state;
  }
  const lines = { cursor: choice.imageCursor, count: images?.length ?? 0, height: listHeight(state) };
  const imageCursor = movedCursor(action, lines);
  return imageCursor === undefined ? state : withChoice(state, choice, { imageCursor, isImageProposed: false });
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

function actOnDisk(state: PickerState, choice: Choice, action: Action | undefined, key: Key): PickerState {
  if (action === "next") {
    const isAccepted = isDiskFixed(choice.offer) || checkDisk(choice.offer, chosenDisk(choice)).ok;
    return isAccepted ? toStep(state, choice, 1) : withChoice(state, choice, { problem: diskProblem(choice) });
  }
  if (action !== undefined) {
    const change = DISK_STEPS[action];
    const moved = change === undefined ? undefined : movedDisk(choice, change);
    const disk = moved ?? edited(choice.disk, action);
    return disk === undefined ? state : withDisk(state, choice, disk);
  }
  return typeDisk(state, choice, /^\d$/.test(key) ? key : undefined);
}

/** Handles pasted text: a size is inserted into the disk field; other steps have no field. */
export function pasteIntoStep(state: PickerState, text: string): PickerState {
  const { choice, pane } = state;
  if (pane !== "none" || choice?.stage !== "disk") {
    return { ...state, notice: "Pasted text was ignored: there is no text field here." };
  }
  const [, size] = /^\s*(\d+|\d{1,3}(?:,\d{3})+)\s*(?:gb?)?\s*$/i.exec(text) ?? [];
  return typeDisk(state, choice, size?.replaceAll(",", ""));
}

/** Inserts digits, if they are such, into the disk field. No disk has too many. */
function typeDisk(state: PickerState, choice: Choice, digits: string | undefined): PickerState {
  if (digits === undefined) {
    return withChoice(state, choice, { problem: "Enter digits only." });
  }
  const disk = paste(choice.isDiskProposed ? fieldOf("") : choice.disk, digits);
  return disk.text.length > MAX_DISK_DIGITS
    ? withChoice(state, choice, { problem: diskProblem({ ...choice, disk }) })
    : withDisk(state, choice, disk);
}

function withDisk(state: PickerState, choice: Choice, disk: TextField): PickerState {
  return withChoice(state, choice, { disk, isDiskProposed: false, problem: undefined });
}

function movedDisk(choice: Choice, change: number): TextField {
  const { minGb, maxGb } = storageOf(choice.offer);
  const current = chosenDisk(choice) ?? Number.NaN;
  const from = Number.isNaN(current) ? (minGb ?? 0) : current;
  // Without a maximum, the largest disk that one can go to is the entered one.
  const diskGb = Math.max(minGb ?? 0, Math.min(from + change, maxGb ?? from + Math.min(change, 100)));
  return fieldOf(String(diskGb));
}

function diskProblem({ offer, disk }: Choice): string {
  const { minGb, maxGb } = storageOf(offer);
  return `Disk must be ${minGb ?? 0}-${maxGb ?? ""} GB${disk.text === "" ? "" : `, not ${disk.text}`}.`;
}

function actOnConfirmation(state: PickerState, choice: Choice, action: Action | undefined, key: Key): PickerState {
  const { check } = choice;
  if (action === "takeClosest" && check.kind === "gone") {
    const offer = check.closest[Number(key) - 1];
    return offer === undefined ? state : beginChoice({ ...state, choice: undefined }, offer);
  }
  if (action !== "next" || check.kind === "checking" || check.kind === "gone") {
    return state;
  }
  const composed = composeChoice(choice, imagesOf(state, choice.offer) ?? []);
  if (!composed.ok) {
    return withChoice(state, choice, { problem: reasonsOf(composed) });
  }
  const number = state.checkCount + 1;
  const checking = { kind: "checking", number, sinceMs: state.nowMs } as const;
  return withCommands(withChoice({ ...state, checkCount: number }, choice, { problem: undefined, check: checking }), {
    kind: "check",
    number,
    offer: choice.offer,
  });
}

/** Why a choice can't become a deployment. */
export function reasonsOf({ problems }: { problems: readonly { reason: string }[] }): string {
  return problems.map(({ reason }) => reason).join(" ");
}
