import { ALL_SORT_KEYS, listingOrder, usualOrder, type ListingQuery } from "@gpu-offers/domain";
import { sortText, withoutFilter } from "@gpu-offers/list";
import type { OfferRow } from "../output/layout.js";
import { setQuery, setText, atTop, clearAll, load, readCredit } from "./query-actions.js";
import { movedCursor, type Action, type Key } from "./keys.js";
import { fetchLive } from "./live-prices.js";
import { nearOf } from "./reading.js";
import { currentOffer, currentRow, groupOf, moveTo, withToggled, withToggledGroup } from "./offer-view.js";
import { choose } from "./step-actions.js";
import { listHeight, paneWidths, type PickerState, type SidePane } from "./state.js";
import { fieldOf } from "./text-field.js";

/** Handles keys of the list. Actions of other contexts change nothing. */
export function actOnList(state: PickerState, action: Action | undefined, key: Key): PickerState {
  if (action === undefined) {
    // An unbound letter was probably meant for the filter.
    return /^\p{L}$/u.test(key) ? { ...state, notice: "press / to filter" } : state;
  }
  return movedList(state, action) ?? HANDLERS[action]?.(state, key) ?? state;
}

const HANDLERS: Partial<Record<Action, (state: PickerState, key: Key) => PickerState>> = {
  pick,
  closeGroup,
  mark,
  compare,
  available: toggleAvailable,
  sort: (state) => sorted(state, nextSort(state)),
  reverse: (state) => sorted(state, { sort_order: state.found.query.sort_order === "asc" ? "desc" : "asc" }),
  clearAll,
  refresh: (state) => readCredit(load(state)),
  fetchLive,
  dropFilter: (state, key) => dropFilter(state, Number(key)),
  back: clearText,
  details: toggleDetails,
  account: (state) => readCredit({ ...state, pane: "account", paneTop: 0 }),
  filter: (state) => ({ ...state, pane: "text", recalled: undefined }),
  facets: openFacets,
  columns: (state) => ({ ...state, pane: "columns" }),
};

/** The list with its cursor moved; undefined for other actions. */
export function movedList(state: PickerState, action: Action): PickerState | undefined {
  const height = listHeight(state);
  const index = movedCursor(action, { cursor: state.view.cursor, count: state.view.rows.length, height });
  return index === undefined ? undefined : { ...state, view: moveTo(state.view, index, height) };
}

/** Opens the facets, over or beside the list. */
export function openFacets(state: PickerState): PickerState {
  return { ...reopened(state, "facets"), pane: "facets", facetDraft: undefined, facetSearch: "" };
}

function reopened(state: PickerState, pane: SidePane): PickerState {
  return state.closedPanes.has(pane) ? { ...state, closedPanes: withToggled(state.closedPanes, pane) } : state;
}

function pick(state: PickerState): PickerState {
  const row = currentRow(state.view);
  if (row === undefined) {
    const [nearest] = nearOf(state);
    const notice = state.loaded.load.kind === "loading" ? "Still loading." : "No offers match.";
    return nearest === undefined ? { ...state, notice } : setText(state, fieldOf(nearest.text));
  }
  if (row.places !== undefined) {
    return toggleGroup(state, row);
  }
  return choose(state, row.offer);
}

function toggleGroup(state: PickerState, { offer }: OfferRow): PickerState {
  return { ...state, view: withToggledGroup(state.view, offer, state.loaded, state.found, listHeight(state)) };
}

/** Closes the group under the cursor, also from one of its offers. */
function closeGroup(state: PickerState): PickerState {
  const row = currentRow(state.view);
  return row !== undefined && state.view.open.has(groupOf(row.offer)) ? toggleGroup(state, row) : state;
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
    : { ...state, marks, pane: "compare", paneTop: 0, compareCursor: 0 };
}

function toggleAvailable(state: PickerState): PickerState {
  const available = state.query.available === true ? undefined : true;
  const notice = available === true ? "in stock or listed only" : "unknown and sold-out offers are shown, too";
  return setQuery({ ...state, notice }, { ...state.query, available });
}

/**
 * Changes the order, with a notice: the arrow in the heading is easily overlooked, and a disk changes prices. A cursor
 * on the first row stays there, to show the first offers of the new order; any other stays on its offer.
 */
function sorted(state: PickerState, order: Pick<ListingQuery, "sort_by" | "sort_order">): PickerState {
  const { sort_by, sort_order } = state.found.query;
  const next = setQuery(state, { ...state.query, sort_by, sort_order, ...order });
  const said = { ...next, notice: sortText(next.found.query) };
  return state.view.cursor === 0 ? atTop(said) : said;
}

/** The next key, in the same direction if the best of both are at the same end. */
function nextSort({ found }: PickerState): Pick<ListingQuery, "sort_by" | "sort_order"> {
  const { sort: before } = listingOrder(found.query);
  const next = ALL_SORT_KEYS[(ALL_SORT_KEYS.indexOf(before) + 1) % ALL_SORT_KEYS.length] ?? before;
  return { sort_by: next, ...(usualOrder(next) !== usualOrder(before) && { sort_order: usualOrder(next) }) };
}

function clearText(state: PickerState): PickerState {
  return state.query.q === undefined
    ? { ...state, notice: "q quits" }
    : setQuery({ ...state, field: fieldOf("") }, withoutFilter(state.query, "q"));
}

/** In an empty list, digits drop the filters that exclude offers. */
function dropFilter(state: PickerState, number: number): PickerState {
  const dropped = state.view.rows.length === 0 ? state.found.exclusions[number - 1] : undefined;
  if (dropped === undefined) {
    return state;
  }
  if (dropped.name === "verified") {
    // It is the default.
    return setQuery(state, { ...state.query, verified: "any" });
  }
  // What isn't given is wished for by the words.
  const name = state.query[dropped.name] === undefined ? "q" : dropped.name;
  return setQuery(name === "q" ? { ...state, field: fieldOf("") } : state, withoutFilter(state.query, name));
}

/** Toggles the details: a pane beside the list if there is room, otherwise over it. */
function toggleDetails(state: PickerState): PickerState {
  if (paneWidths(state).details > 0) {
    return { ...state, closedPanes: withToggled(state.closedPanes, "details") };
  }
  const shown = reopened(state, "details");
  return paneWidths(shown).details > 0 ? shown : { ...state, pane: "details", paneTop: 0 };
}
