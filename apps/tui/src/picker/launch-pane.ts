import type { LaunchPlan, ListedOffer } from "@gpu-offers/domain";
import { LAUNCH_KINDS } from "@gpu-offers/domain/launching";
import { chosenLaunch, launchTextOf, planOf } from "../output/result.js";
import { row, wrappedRows, type Pieces } from "../text/pieces.js";
import { broken } from "../text/width.js";
import { comparedOffer } from "./compare-pane.js";
import { choiceOf, chosenImage, launchedDisk } from "./choice.js";
import { imageListOf, imagesOf } from "./image-list.js";
import type { Action } from "./keys.js";
import { currentOffer } from "./offer-view.js";
import { readImagesOnce } from "./read-ahead.js";
import { copied, withCommands, openChoice, type PickerState } from "./state.js";

// The texts that rent the offer on the screen, and the page on which one rents it.

/** The offer that the screen is about: of the choice in progress, or under the cursor. */
export function shownOffer(state: PickerState): ListedOffer | undefined {
  const { pane, view } = state;
  return openChoice(state)?.offer ?? (pane === "compare" ? comparedOffer(state) : currentOffer(view));
}

/** How to rent the offer on the screen. */
export function shownPlan(state: PickerState): LaunchPlan | undefined {
  const offer = shownOffer(state);
  return offer === undefined ? undefined : planFor(state, offer);
}

/** How to rent an offer with the chosen disk and image, or with those that would be proposed. */
export function planFor(state: PickerState, offer: ListedOffer): LaunchPlan {
  const choice = offer === state.choice?.offer ? state.choice : choiceOf(offer, state.found.query, state.wantedImageId);
  const images = imagesOf(state, offer) ?? [];
  return planOf({
    offer,
    images,
    osImageId: chosenImage(choice, images)?.id,
    ...launchedDisk(choice),
    pricesAsOf: state.loaded.age?.pricesAsOf.get(offer.provider.name),
  });
}

export function openLaunch(state: PickerState): PickerState {
  const offer = shownOffer(state);
  return offer === undefined ? state : readImagesOnce({ ...state, pane: "launch", paneTop: 0 }, imageListOf(offer));
}

/** The launch text on the screen, with long lines broken. */
export function launchRows(state: PickerState): Pieces[] {
  const { launch = [], problems = [], missing = [], notes = [], rentUrl = null } = shownPlan(state) ?? {};
  const brokenRows = (text: string): Pieces[] => broken(text, state.columns - 2).map((line) => row(` ${line}`));
  const said = [...notes, ...[...problems, ...missing].map(({ reason }) => reason)];
  const text = chosenLaunch(launch, state.launchKind);
  const place = text !== undefined && launch.length > 1 ? ` (${launch.indexOf(text) + 1} of ${launch.length})` : "";
  return [
    ...(text === undefined
      ? []
      : [row(` ${text.title}${place}`, "accent"), ...launchTextOf(text).split("\n").flatMap(brokenRows)]),
    ...said.flatMap((sentence) => wrappedRows(sentence, state.columns)),
    ...(rentUrl === null ? [] : brokenRows(`Rent it at ${rentUrl}`)),
  ];
}

/** Handles keys of the launch texts. */
export function actOnLaunch(state: PickerState, action: Action | undefined): PickerState | undefined {
  const launch = shownPlan(state)?.launch ?? [];
  const text = chosenLaunch(launch, state.launchKind);
  if (text === undefined) {
    return undefined;
  }
  if (action === "copyText") {
    return copied(state, launchTextOf(text), `copied: ${text.title}`);
  }
  const by = action === "left" ? -1 : action === "right" ? 1 : 0;
  const next = launch[(launch.indexOf(text) + by + launch.length) % launch.length]?.kind;
  const launchKind = LAUNCH_KINDS.find((kind) => kind === next);
  return by === 0 ? undefined : { ...state, launchKind, paneTop: 0 };
}

/** Opens the page on which one rents the offer on the screen. */
export function openPage(state: PickerState): PickerState {
  const url = shownPlan(state)?.rentUrl;
  return url == null
    ? { ...state, notice: "No page is known on which one rents this offer." }
    : withCommands({ ...state, notice: `opening ${url}` }, { kind: "open", url });
}
