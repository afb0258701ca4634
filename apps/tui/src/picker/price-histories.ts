import { step, type PickerEvent, type Step } from "./event.js";
import { currentOffer } from "./offer-view.js";
import { paneWidths, type PickerState } from "./state.js";

// Price histories of offers whose details were opened.

/** Maximum number of cached histories; the oldest one is evicted first. */
const MAX_HELD = 200;

/** Loads the history of the offer in the details, once per load of the list. */
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

/** Adds a loaded history. One that the source doesn't have isn't shown. */
export function withHistory(state: PickerState, { offerId, history }: PickerEvent & { kind: "history" }): PickerState {
  return { ...state, histories: new Map(state.histories).set(offerId, history) };
}
