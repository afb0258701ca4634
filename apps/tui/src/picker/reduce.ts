import { plainOffer, type ListedOffer } from "@gpu-offers/domain";
import { leftOutOf } from "@gpu-offers/list";
import { leftOutTexts } from "../catalog/source-notes.js";
import { jsonText } from "../text/json-text.js";
import { load, readCredit, refreshed } from "./query-actions.js";
import { receiveCheck, receiveImages } from "./check-events.js";
import { actOnReading, openReading, withNear } from "./reading.js";
import type { PickerEvent } from "./event.js";
import { imageListOf, isSameList } from "./image-list.js";
import { addPages, finishLoad } from "./loaded-offers.js";
import { BINDINGS, type Action, type Context, type Key } from "./keys.js";
import { actOnList } from "./list-actions.js";
import { openLaunch, openPage } from "./launch-pane.js";
import { fetchLive, receiveLive } from "./live-prices.js";
import { currentOffer, moveTo, visibleLines } from "./offer-view.js";
import { readAhead, readHistory } from "./read-ahead.js";
import { actOnColumns, actOnFacets, actOnText, movedPane, pasteFacet, pasteText } from "./pane-actions.js";
import { actOnTextPane } from "./text-pane.js";
import { actOnStep, choose, pasteIntoStep } from "./step-actions.js";
import {
  withCommands,
  contextOf,
  copied,
  listHeight,
  openChoice,
  paneWidths,
  readingHeight,
  type PickerState,
} from "./state.js";
import type { SavedChoices } from "./pick-request.js";

/** Returns the next state for an event, with its commands. Pure: time, network and terminal are events and commands. */
export function reduce(before: PickerState, event: PickerEvent): PickerState {
  const state = reduceEvent({ ...before, commands: [] }, event);
  const choices = changedChoices(before, state);
  return choices === undefined ? state : withCommands(state, { kind: "save", choices });
}

/** The choices that changed between two states; undefined if none did. */
function changedChoices(before: PickerState, now: PickerState): Partial<SavedChoices> | undefined {
  const keys = ["found", "hiddenColumns", "history", "launchKind"] as const;
  if (keys.every((key) => before[key] === now[key])) {
    return undefined;
  }
  const [old, wanted] = [choicesOf(before), choicesOf(now)];
  const changed = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof SavedChoices]),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function choicesOf({ query, found, hiddenColumns, history, launchKind }: PickerState): SavedChoices {
  const { sort, order } = found.selection.sort;
  return {
    available: query.available === true,
    sort,
    order,
    hiddenColumns: [...hiddenColumns],
    filters: history,
    launchKind,
  };
}

function reduceEvent(state: PickerState, event: PickerEvent): PickerState {
  switch (event.kind) {
    case "key":
      return press({ ...state, notice: undefined }, event.key);
    case "paste":
      return pasted({ ...state, notice: undefined }, event.text);
    case "click":
      return clicked({ ...state, notice: undefined }, event);
    case "choose":
      return choose(state, event.offer);
    case "resize":
      return resized(state, event);
    case "tick":
      return { ...state, nowMs: event.nowMs };
    case "pages":
      return receivePages(state, event);
    case "age":
      return { ...state, loaded: { ...state.loaded, age: event.age } };
    case "restart":
      return { ...state, loaded: { ...state.loaded, incoming: [] } };
    case "loaded":
      return receiveLoaded(state, event);
    case "loadFailed": {
      const { problem, retryAtMs, nowMs } = event;
      return { ...state, nowMs, loaded: { ...state.loaded, load: { kind: "failed", problem, retryAtMs } } };
    }
    case "images":
      return pressAll(receiveImages(state, event), waitingKeys(state, event));
    case "history":
      return { ...state, histories: new Map(state.histories).set(event.offerId, event.history) };
    case "live":
      return receiveLive(state, event);
    case "idle":
      return readHistory(readAhead(withNear({ ...state, nowMs: event.nowMs })));
    case "credit": {
      const { account, balance, problem } = event;
      return { ...state, credit: problem === undefined ? { account, balance } : { ...state.credit, problem } };
    }
    case "checked":
      return receiveCheck(state, event);
    case "opened":
      // Without a browser, the address is copied.
      return event.isOpen ? state : copied(state, event.url, `no browser here; copied ${event.url}`);
  }
}

/** Pages of the first load are shown at once. */
function receivePages(state: PickerState, event: PickerEvent & { kind: "pages" }): PickerState {
  const loaded = addPages(state.loaded, event, state.nowMs);
  const next = { ...state, loaded };
  return loaded.offers === state.loaded.offers ? next : refreshed(next);
}

function receiveLoaded(state: PickerState, event: PickerEvent & { kind: "loaded" }): PickerState {
  const loaded = finishLoad(state.loaded, event);
  const next = refreshed({ ...state, nowMs: event.nowMs, loaded, histories: new Map() });
  return { ...next, notice: leftOutTexts(leftOutOf(next.found)).join(" ") || state.notice };
}

/** The first state: offers are loading, and the account if there is a key. */
export function start(state: PickerState, isLive = false): PickerState {
  const loading = load(state);
  return readCredit(isLive ? fetchLive(loading) : loading);
}

function resized(state: PickerState, { columns, rows }: { columns: number; rows: number }): PickerState {
  const next = { ...state, columns, rows };
  return { ...next, view: moveTo(state.view, state.view.cursor, listHeight(next)) };
}

/** Replays keys that were pressed before the images had arrived. */
function waitingKeys({ choice }: PickerState, event: PickerEvent & { kind: "images" }): readonly Key[] {
  const isAwaited = choice?.stage === "image" && isSameList(event, imageListOf(choice.offer));
  return isAwaited && event.problem === undefined ? choice.typedAhead : [];
}

/** Ends at the confirmation: what is accepted must have been on the screen. */
function pressAll(state: PickerState, keys: readonly Key[]): PickerState {
  return keys.reduce((before, key) => (contextOf(before) === "confirm" ? before : press(before, key)), state);
}

function press(state: PickerState, key: Key): PickerState {
  const context = contextOf(state);
  // Undefined for a key without a binding, and for one that types a character
  const action = BINDINGS.find(({ keys, in: contexts }) => keys.includes(key) && contexts.includes(context))?.action;
  const anywhere = action === undefined ? undefined : ANYWHERE[action];
  return anywhere === undefined ? HANDLERS[context](state, action, key) : anywhere(state);
}

/** Handles keys that do the same in all contexts. */
const ANYWHERE: Partial<Record<Action, (state: PickerState) => PickerState>> = {
  cancel: (state) => withCommands(state, { kind: "exit" }),
  quit: (state) => withCommands(state, { kind: "exit" }),
  suspend: (state) => withCommands(state, { kind: "suspend" }),
  redraw: (state) => withCommands(state, { kind: "redraw" }),
  help: (state) => ({ ...state, pane: "help", paneTop: 0, underHelp: { pane: state.pane, paneTop: state.paneTop } }),
  nextPane: (state) => movedPane(state, 1),
  previousPane: (state) => movedPane(state, -1),
  copyId: (state) => ofCurrent(state, ({ id }) => copied(state, id, `copied ${id}`)),
  copyJson: (state) =>
    ofCurrent(state, (offer) => copied(state, jsonText(plainOffer(offer)), "copied the offer as JSON")),
  launch: openLaunch,
  openPage,
  reading: openReading,
};

const HANDLERS: Record<Context, (state: PickerState, action: Action | undefined, key: Key) => PickerState> = {
  list: actOnList,
  text: actOnText,
  facets: actOnFacets,
  columns: actOnColumns,
  reading: actOnReading,
  details: actOnTextPane,
  account: actOnTextPane,
  launch: actOnTextPane,
  compare: actOnTextPane,
  help: actOnTextPane,
  images: actOnStep,
  disk: actOnStep,
  confirm: actOnStep,
};

/** Lines above the rows of the list without the reading: header, filters, headings. */
const FIRST_ROW = 3;

/** Handles a click: on a row of the list it moves the cursor there, and on the row under the cursor it chooses. */
function clicked(state: PickerState, { column, row }: { column: number; row: number }): PickerState {
  const context = contextOf(state);
  if (context !== "list" && context !== "text") {
    return state;
  }
  const { facets, list } = paneWidths(state);
  const height = listHeight(state);
  const lines = readingHeight(state);
  if (lines > 0 && row === FIRST_ROW - 1) {
    return openReading(state);
  }
  const line = visibleLines(state.view, height)[row - FIRST_ROW - lines];
  if (line === undefined || typeof line === "string" || column < facets || column >= facets + list) {
    return state;
  }
  const inList = context === "text" ? actOnText(state, "keep", "Enter") : state;
  const index = inList.view.rows.indexOf(line);
  if (index === inList.view.cursor && context === "list") {
    return actOnList(inList, "pick", "Enter");
  }
  return { ...inList, view: moveTo(inList.view, index, height) };
}

/** Handles pasted text, which is inserted into a field and never triggers actions. */
function pasted(state: PickerState, text: string): PickerState {
  if (state.pane === "facets") {
    return pasteFacet(state, text);
  }
  return openChoice(state) === undefined ? pasteText(state, text) : pasteIntoStep(state, text);
}

function ofCurrent(state: PickerState, next: (offer: ListedOffer) => PickerState): PickerState {
  const offer = currentOffer(state.view);
  return offer === undefined ? state : next(offer);
}
