import { compileSearch, type Offer } from "@gpu-offers/domain";
import { leaveOneOut, type OfferRow, type Query, SORTS, sortWords, withFilter } from "@gpu-offers/list";
import { setQuery, setText, atTop, clearAll, load, widen } from "./query-actions.js";
import { movedCursor } from "./cursor.js";
import { step, withCredit, type Step } from "./event.js";
import type { Action, Key } from "./keys.js";
import { fetchLive } from "./live-prices.js";
import { nearOf } from "./near-searches.js";
import { currentOffer, currentRow, moveTo, withOpen } from "./offer-view.js";
import { choose } from "./step-actions.js";
import { listHeight, paneWidths, type Pane, type PickerState, type SidePane } from "./state.js";
import { fieldOf } from "./text-field.js";

/** Handles keys of the list. Actions of other contexts change nothing. */
export function actOnList(state: PickerState, action: Action, key: Key): Step {
  const moved = movedList(state, action);
  if (moved !== undefined) {
    return step(moved);
  }
  return HANDLERS[action]?.(state, key) ?? step(state);
}

const HANDLERS: Partial<Record<Action, (state: PickerState, key: Key) => Step>> = {
  pick,
  closeGroup: (state) => step(closeGroup(state)),
  mark: (state) => step(mark(state)),
  compare: (state) => step(compare(state)),
  available: toggleAvailable,
  sort: (state) => sorted(state, { ...state.query, sort: nextSort(state) }),
  reverse: (state) => sorted(state, { ...state.query, order: state.query.order === "asc" ? "desc" : "asc" }),
  clearAll,
  refresh: (state) => withCredit(load(state)),
  fetchLive,
  dropFilter: (state, key) => dropFilter(state, Number(key)),
  back: clearText,
  details: (state) => step(toggleDetails(state)),
  account: openAccount,
  filter: (state) => step({ ...open(state, "text"), recalled: undefined }),
  facets: openFacets,
  columns: (state) => step(open(state, "columns")),
};

/** An unbound letter was probably meant for the filter. */
export function explainKey(state: PickerState, key: Key): Step {
  return step(/^\p{L}$/u.test(key) ? { ...state, notice: "press / to filter" } : state);
}

/** The list with its cursor moved; undefined for other actions. */
export function movedList(state: PickerState, action: Action): PickerState | undefined {
  const height = listHeight(state);
  const index = movedCursor(action, { cursor: state.view.cursor, count: state.view.rows.length, height });
  return index === undefined ? undefined : { ...state, view: moveTo(state.view, index, height) };
}

/** Opens the facets, over or beside the list, and loads the offers that they count. */
export function openFacets(state: PickerState): Step {
  return widen({ ...reopened(state, "facets"), pane: "facets", facetDraft: undefined, facetSearch: "" });
}

function open(state: PickerState, pane: Pane): PickerState {
  return { ...state, pane };
}

function reopened(state: PickerState, pane: SidePane): PickerState {
  const closedPanes = new Set(state.closedPanes);
  return closedPanes.delete(pane) ? { ...state, closedPanes } : state;
}

function pick(state: PickerState): Step {
  const row = currentRow(state.view);
  if (row === undefined) {
    const [nearest] = nearOf(state);
    return nearest === undefined
      ? step({ ...state, notice: state.loaded.load.kind === "loading" ? "Still loading." : "No offers match." })
      : setText(state, fieldOf(nearest.text), compileSearch(nearest.text));
  }
  if (row.places !== undefined) {
    return step(toggleGroup(state, row.offer));
  }
  return choose(state, row.offer);
}

function toggleGroup(state: PickerState, offer: Offer): PickerState {
  const opened = new Set(state.view.open);
  const kind = state.view.kinds.of(offer);
  if (!opened.delete(kind)) {
    opened.add(kind);
  }
  return { ...state, view: withOpen(state.view, opened, state.query, listHeight(state)) };
}

/** Closes the group under the cursor, also from one of its offers. */
function closeGroup(state: PickerState): PickerState {
  const row = currentRow(state.view);
  return row !== undefined && state.view.open.has(state.view.kinds.of(row.offer))
    ? toggleGroup(state, row.offer)
    : state;
}

/** Ids of the marked offers that a row shows, by itself or in its group. */
export function marksOf(marks: PickerState["marks"], { offer, places = [offer] }: OfferRow): string[] {
  return places.map(({ id }) => id).filter((id) => marks.has(id));
}

/** Toggles the mark of the row under the cursor, and moves the cursor down, to mark several offers quickly. */
function mark(state: PickerState): PickerState {
  const row = currentRow(state.view);
  if (row === undefined) {
    return state;
  }
  const marks = new Map(state.marks);
  const held = marksOf(marks, row);
  if (held.length === 0) {
    marks.set(row.offer.id, row.offer);
  }
  for (const id of held) {
    marks.delete(id);
  }
  return { ...(movedList(state, "down") ?? state), marks };
}

/** Compares the marked offers; a single one with the offer under the cursor. */
function compare(state: PickerState): PickerState {
  const current = currentOffer(state.view);
  const marks =
    state.marks.size === 1 && current !== undefined ? new Map(state.marks).set(current.id, current) : state.marks;
  return marks.size < 2
    ? { ...state, notice: "Mark two or more offers with Space, then press =." }
    : { ...open({ ...state, marks }, "compare"), paneTop: 0, compareCursor: 0 };
}

function toggleAvailable(state: PickerState): Step {
  const available = state.query.filter.available === true ? undefined : true;
  const notice = available === true ? "available offers only" : "unavailable offers are shown, too";
  return setQuery(
    { ...state, notice },
    { ...state.query, filter: withFilter(state.query.filter, "available", available) },
  );
}

/**
 * Changes the order, with a notice: the arrow in the heading is easily overlooked, and a disk changes prices. A cursor
 * on the first row stays there, to show the first offers of the new order; any other stays on its offer.
 */
function sorted(state: PickerState, query: Query): Step {
  const next = setQuery({ ...state, notice: sortWords(query) }, query);
  return state.view.cursor === 0 ? atTop(next) : next;
}

function nextSort({ query }: PickerState): Query["sort"] {
  return SORTS[(SORTS.findIndex((key) => key === query.sort) + 1) % SORTS.length] ?? query.sort;
}

function clearText(state: PickerState): Step {
  if (state.query.filter.search === undefined) {
    return step({ ...state, notice: "q quits" });
  }
  const filter = withFilter(state.query.filter, "search", undefined);
  return setQuery({ ...state, field: fieldOf("") }, { ...state.query, filter });
}

/** In an empty list, digits drop the filters that exclude offers. */
function dropFilter(state: PickerState, number: number): Step {
  const { query, view, loaded } = state;
  const dropped = view.rows.length === 0 ? leaveOneOut(loaded.offers, query.filter)[number - 1] : undefined;
  if (dropped === undefined) {
    return step(state);
  }
  const field = dropped.key === "search" ? fieldOf("") : state.field;
  return setQuery({ ...state, field }, { ...query, filter: withFilter(query.filter, dropped.key, undefined) });
}

/** Toggles the details: a pane beside the list if there is room, otherwise over it. */
function toggleDetails(state: PickerState): PickerState {
  if (paneWidths(state).details > 0) {
    return { ...state, closedPanes: new Set([...state.closedPanes, "details"]) };
  }
  const shown = reopened(state, "details");
  return paneWidths(shown).details > 0 ? shown : { ...open(state, "details"), paneTop: 0 };
}

function openAccount(state: PickerState): Step {
  return withCredit(step({ ...open(state, "account"), paneTop: 0 }));
}
