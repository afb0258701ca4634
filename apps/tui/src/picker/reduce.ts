import { plainOffer } from "@gpu-offers/domain";
import { leftOutOf } from "@gpu-offers/list";
import { leftOutTexts } from "../catalog/source-notes.js";
import { jsonText } from "../text/json-text.js";
import { load, refreshed } from "./query-actions.js";
import { receiveCheck, receiveFailedCheck, receiveImages } from "./check-events.js";
import { actOnReading, openReading } from "./reading.js";
import { step, withCredit, type PickerEvent, type Step } from "./event.js";
import { imageListOf, isSameList, knownImages } from "./image-list.js";
import { addPages, finishLoad } from "./loaded-offers.js";
import { actionOf, type Action, type Key } from "./keys.js";
import { changedChoices } from "./saved-choices.js";
import { actOnList, explainKey } from "./list-actions.js";
import { openLaunch, openPage, receiveOpened } from "./launch-pane.js";
import { fetchLive, receiveLive } from "./live-prices.js";
import { currentOffer, moveTo, visibleLines } from "./offer-view.js";
import { withNear } from "./near-searches.js";
import { readHistory, withHistory } from "./price-histories.js";
import { readAhead } from "./provider-images.js";
import { actOnColumns, actOnFacets, actOnText, movedPane, pasteFacet, pasteText } from "./pane-actions.js";
import { actOnTextPane } from "./text-pane.js";
import { actOnStep, choose, pasteIntoStep } from "./step-actions.js";
import { contextOf, listHeight, paneWidths, readingHeight, type PickerState } from "./state.js";

/** Returns the next state and commands for an event. Pure: time, network and terminal are events and commands. */
export function reduce(state: PickerState, event: PickerEvent): Step {
  const next = reduceEvent(state, event);
  const choices = changedChoices(state, next.state);
  return choices === undefined ? next : step(next.state, ...next.commands, { kind: "save", choices });
}

function reduceEvent(state: PickerState, event: PickerEvent): Step {
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
      return step(resized(state, event));
    case "tick":
      return step({ ...state, nowMs: event.nowMs });
    case "pages":
      return step(receivePages(state, event));
    case "age":
      return step({ ...state, loaded: { ...state.loaded, age: event.age } });
    case "restart":
      return step({ ...state, loaded: { ...state.loaded, incoming: [] } });
    case "loaded":
      return step(receiveLoaded(state, event));
    case "loadFailed": {
      const { problem, retryAtMs, nowMs } = event;
      return step({ ...state, nowMs, loaded: { ...state.loaded, load: { kind: "failed", problem, retryAtMs } } });
    }
    case "images":
      return pressAll(receiveImages(state, event), waitingKeys(state, event));
    case "history":
      return step(withHistory(state, event));
    case "live":
      return receiveLive(state, event);
    case "idle":
      return readWhileIdle(withNear({ ...state, nowMs: event.nowMs }));
    case "credit": {
      const { account, balance, problem } = event;
      return step({ ...state, credit: problem === undefined ? { account, balance } : { ...state.credit, problem } });
    }
    case "checked":
      return receiveCheck(state, event);
    case "checkFailed":
      return step(receiveFailedCheck(state, event));
    case "opened":
      return receiveOpened(state, event);
  }
}

/** Pages of the first load are shown at once. */
function receivePages(state: PickerState, event: PickerEvent & { kind: "pages" }): PickerState {
  const loaded = addPages(state.loaded, event, knownImages(state.images), state.nowMs);
  const next = { ...state, loaded };
  return loaded.offers === state.loaded.offers ? next : refreshed(next);
}

function receiveLoaded(state: PickerState, event: PickerEvent & { kind: "loaded" }): PickerState {
  const loaded = finishLoad(state.loaded, knownImages(state.images), event);
  const next = refreshed({ ...state, nowMs: event.nowMs, loaded, histories: new Map() });
  return { ...next, notice: leftOutTexts(leftOutOf(next.found)).join(" ") || state.notice };
}

/** Prefetches what may be needed next: images of providers, and the price history of the offer in the details. */
function readWhileIdle(state: PickerState): Step {
  const images = readAhead(state);
  const history = readHistory(images.state);
  return step(history.state, ...images.commands, ...history.commands);
}

/** The first step: load offers, and the account if there is a key. */
export function start(state: PickerState, isLive = false): Step {
  const { state: loading, commands: loads } = load(state);
  const { state: next, commands: fetches } = isLive ? fetchLive(loading) : step(loading);
  const commands = [...loads, ...fetches];
  return withCredit(step(next, ...commands));
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
function pressAll(begun: Step, keys: readonly Key[]): Step {
  return keys.reduce((before, key) => {
    if (contextOf(before.state) === "confirm") {
      return before;
    }
    const { state, commands } = press(before.state, key);
    return step(state, ...before.commands, ...commands);
  }, begun);
}

function press(state: PickerState, key: Key): Step {
  const context = contextOf(state);
  const action = actionOf(context, key);
  return (action === undefined ? undefined : ANYWHERE[action]?.(state)) ?? pressIn(state, action, key);
}

/** Handles keys that do the same in all contexts. */
const ANYWHERE: Partial<Record<Action, (state: PickerState) => Step | undefined>> = {
  cancel: (state) => step(state, { kind: "exit" }),
  quit: (state) => step(state, { kind: "exit" }),
  suspend: (state) => step(state, { kind: "suspend" }),
  redraw: (state) => step(state, { kind: "redraw" }),
  help: (state) => step({ ...state, pane: "help", paneUnderHelp: state.pane, topUnderHelp: state.paneTop, paneTop: 0 }),
  nextPane: (state) => (state.pane === "facets" ? undefined : movedPane(state, 1)),
  previousPane: (state) => (state.pane === "facets" ? undefined : movedPane(state, -1)),
  copyId: (state) => copy(state, "copyId"),
  copyJson: (state) => copy(state, "copyJson"),
  launch: openLaunch,
  openPage,
  reading: (state) => step(openReading(state)),
};

function pressIn(state: PickerState, action: Action | undefined, key: Key): Step {
  switch (state.pane) {
    case "text":
      return step(actOnText(state, action, key));
    case "facets":
      return actOnFacets(state, action, key);
    case "columns":
      return actOnColumns(state, action);
    case "reading":
      return step(actOnReading(state, action));
    case "details":
    case "account":
    case "launch":
    case "compare":
    case "help":
      return actOnTextPane(state, action);
    case "none":
      break;
  }
  if (state.choice !== undefined && state.choice.stage !== "offer") {
    return actOnStep(state, state.choice, action, key);
  }
  return action === undefined ? explainKey(state, key) : actOnList(state, action, key);
}

/** Lines above the rows of the list without the reading: header, filters, headings. */
const FIRST_ROW = 3;

/** Handles a click: on a row of the list it moves the cursor there, and on the row under the cursor it chooses. */
function clicked(state: PickerState, { column, row }: { column: number; row: number }): Step {
  const context = contextOf(state);
  if (context !== "list" && context !== "text") {
    return step(state);
  }
  const { facets, list } = paneWidths(state);
  const height = listHeight(state);
  const lines = readingHeight(state);
  if (lines > 0 && row === FIRST_ROW - 1) {
    return step(openReading(state));
  }
  const line = visibleLines(state.view, height)[row - FIRST_ROW - lines];
  if (line === undefined || typeof line === "string" || column < facets || column >= facets + list) {
    return step(state);
  }
  const inList = context === "text" ? actOnText(state, "keep", "Enter") : state;
  const index = inList.view.rows.indexOf(line);
  if (index === inList.view.cursor && context === "list") {
    return actOnList(inList, "pick", "Enter");
  }
  return step({ ...inList, view: moveTo(inList.view, index, height) });
}

/** Handles pasted text, which is inserted into a field and never triggers actions. */
function pasted(state: PickerState, text: string): Step {
  if (state.pane === "facets") {
    return step(pasteFacet(state, text));
  }
  return step(
    state.choice === undefined || state.choice.stage === "offer"
      ? pasteText(state, text)
      : pasteIntoStep(state, state.choice, text),
  );
}

function copy(state: PickerState, action: "copyId" | "copyJson"): Step {
  const offer = currentOffer(state.view);
  if (offer === undefined) {
    return step(state);
  }
  const text = action === "copyId" ? offer.id : jsonText(plainOffer(offer));
  const notice = action === "copyId" ? `copied ${offer.id}` : "copied the offer as JSON";
  return step({ ...state, notice }, { kind: "copy", text });
}
