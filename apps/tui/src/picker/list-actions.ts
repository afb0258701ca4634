import { ask, clearAll, load, widen } from "./ask.js";
import { movedCursor } from "./cursor.js";
import { step, type Step } from "./event.js";
import type { Action } from "./keys.js";
import { currentOffer, moveTo } from "./offer-view.js";
import { sortWords } from "../query/filter-words.js";
import { leaveOneOut, SORTS, withFilter, type Query } from "../query/query.js";
import { beginChoice } from "./step-actions.js";
import { hasSidePane, listHeight, type Pane, type PickerState } from "./state.js";
import { fieldOf } from "./text-field.js";
import type { Key } from "./key-decoder.js";

/** What keys do in the list. Actions of other contexts leave it as it is. */
export function actOnList(state: PickerState, action: Action, key: Key): Step {
  const moved = movedList(state, action);
  if (moved !== undefined) {
    return step(moved);
  }
  return HANDLERS[action]?.(state, key) ?? step(state);
}

const HANDLERS: Partial<Record<Action, (state: PickerState, key: Key) => Step>> = {
  pick,
  sort: (state) => sorted(state, { ...state.query, sort: nextSort(state) }),
  reverse: (state) => sorted(state, { ...state.query, order: state.query.order === "asc" ? "desc" : "asc" }),
  clearAll,
  refresh: (state) => withCredit(load(state)),
  dropFilter: (state, key) => dropFilter(state, Number(key)),
  back: clearText,
  details: (state) => step(toggleDetails(state)),
  account: openAccount,
  filter: (state) => step(open(state, "text")),
  facets: (state) => widen({ ...open(state, "facets"), facetDraft: undefined }),
  columns: (state) => step(open(state, "columns")),
};

/** The list with its cursor moved; undefined for an action that moves nothing. */
export function movedList(state: PickerState, action: Action): PickerState | undefined {
  const height = listHeight(state);
  const index = movedCursor(action, { cursor: state.view.cursor, count: state.view.rows.length, height });
  return index === undefined ? undefined : { ...state, view: moveTo(state.view, index, height) };
}

function open(state: PickerState, pane: Pane): PickerState {
  return { ...state, pane };
}

function pick(state: PickerState): Step {
  const offer = currentOffer(state.view);
  if (offer === undefined) {
    return step({ ...state, notice: "There is no offer to pick." });
  }
  if (!offer.isAvailable) {
    return step({ ...state, notice: "This offer is not available now. Facets (f) can leave such offers out." });
  }
  return beginChoice(state, offer);
}

/** Another order, in words: the arrow over a column is easily overlooked, and a disk changes what a price means. */
function sorted(state: PickerState, query: Query): Step {
  return ask({ ...state, notice: sortWords(query) }, query);
}

function nextSort({ query }: PickerState): (typeof SORTS)[number] {
  return SORTS[(SORTS.indexOf(query.sort) + 1) % SORTS.length] ?? query.sort;
}

function clearText(state: PickerState): Step {
  if (state.query.filter.text === undefined) {
    return step({ ...state, notice: "q quits" });
  }
  const filter = withFilter(state.query.filter, "text", undefined);
  return ask({ ...state, field: fieldOf("") }, { ...state.query, filter });
}

/** The numbers of an empty list stand for the filters that keep offers out. */
function dropFilter(state: PickerState, number: number): Step {
  const { query, view, held } = state;
  const dropped = view.rows.length === 0 ? leaveOneOut(held.offers, query.filter)[number - 1] : undefined;
  if (dropped === undefined) {
    return step(state);
  }
  const field = dropped.key === "text" ? fieldOf("") : state.field;
  return ask({ ...state, field }, { ...query, filter: withFilter(query.filter, dropped.key, undefined) });
}

/** With room at the side, details are a pane there that can be put away; else they cover the list. */
function toggleDetails(state: PickerState): PickerState {
  if (hasSidePane(state)) {
    return { ...state, hidesSidePane: true };
  }
  return state.hidesSidePane ? { ...state, hidesSidePane: false } : { ...open(state, "details"), paneTop: 0 };
}

function openAccount(state: PickerState): Step {
  if (state.credit === undefined) {
    return step({ ...open(state, "account"), paneTop: 0 });
  }
  return step({ ...open(state, "account"), paneTop: 0 }, { kind: "readCredit" });
}

function withCredit({ state, commands }: Step): Step {
  return step(state, ...commands, ...(state.credit === undefined ? [] : [{ kind: "readCredit" } as const]));
}
