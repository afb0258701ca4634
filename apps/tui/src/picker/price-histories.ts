import { step, type PickerEvent, type Step } from "./event.js";
import { currentOffer } from "./offer-view.js";
import { paneWidths, type PickerState } from "./state.js";

// The price histories of offers whose details were looked at.

/** Histories that are held; the oldest one goes first. */
const MAX_HELD = 200;

/** Reads the history of the offer in the details, once for each load of the list. */
export function readHistory(state: PickerState): Step {
  const offer = currentOffer(state.view);
  const isShown = state.pane === "details" || paneWidths(state).details > 0;
  if (offer === undefined || !isShown || state.histories.has(offer.id)) {
    return step(state);
  }
  const kept = [...state.histories].slice(1 - MAX_HELD);
  const histories = new Map([...kept, [offer.id, undefined] as const]);
  return step({ ...state, histories }, { kind: "readHistory", offerId: offer.id });
}

/** What is known after a reading; a history that the source does not have is shown as nothing. */
export function withHistory(state: PickerState, { offerId, history }: PickerEvent & { kind: "history" }): PickerState {
  return { ...state, histories: new Map(state.histories).set(offerId, history) };
}
