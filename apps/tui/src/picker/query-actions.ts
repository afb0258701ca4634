import { atPrice, type ListingQuery, type SearchOptions } from "@gpu-offers/domain";
import { withoutFilters } from "@gpu-offers/list";
import { findOffers } from "./found.js";
import { moveTo, withMatches } from "./offer-view.js";
import { withCommands, listHeight, type PickerState } from "./state.js";
import { fieldOf, type TextField } from "./text-field.js";

// Changes of the query. All offers are loaded, so a change shows its matches at once.

export function setQuery(state: PickerState, query: ListingQuery): PickerState {
  return refreshed({ ...state, query });
}

/** The state with the matches of its query among its offers. */
export function refreshed(state: PickerState): PickerState {
  const { loaded, query, reading, marks } = state;
  const found = findOffers(loaded.catalog, query, reading);
  const { spot } = found.selection.filter;
  return {
    ...state,
    found,
    marks:
      spot === state.found.selection.filter.spot
        ? marks
        : new Map([...marks].map(([id, offer]) => [id, atPrice(offer, spot)])),
    view: withMatches(state.view, loaded, found, listHeight(state)),
  };
}

/**
 * The state with a load in progress, until whose end current offers stay. The first page has the first offers of the list's
 * order.
 */
export function load(state: PickerState): PickerState {
  const { sort_by, sort_order } = state.found.query;
  const { loaded, nowMs } = state;
  const loading = { ...loaded, incoming: [], load: { kind: "loading" as const, sinceMs: nowMs } };
  return withCommands({ ...state, loaded: loading }, { kind: "load", order: { sort_by, sort_order } });
}

/** The state with the account and its credit being read, if there is an account. */
export function readCredit(state: PickerState): PickerState {
  return state.credit === undefined ? state : withCommands(state, { kind: "readCredit" });
}

/** The state with the cursor on the first row. */
export function atTop(state: PickerState): PickerState {
  return { ...state, view: moveTo(state.view, 0, listHeight(state)) };
}

/**
 * The state with a filter text. While the user types, the cursor is on the best match, the first one. An order that its
 * words newly wish for wins over the order of the list.
 * @param reading By default, the text is finished.
 */
export function setText(state: PickerState, field: TextField, reading: SearchOptions = {}): PickerState {
  const q = field.text.trim() === "" ? undefined : field.text;
  const read = setQuery({ ...state, field, reading }, { ...state.query, q });
  const { sortBy, sortOrder = "asc" } = read.found.search?.wishes ?? {};
  const before = state.found.search?.wishes;
  return atTop(
    sortBy === undefined || (sortBy === before?.sortBy && sortOrder === (before.sortOrder ?? "asc"))
      ? read
      : setQuery(read, { ...read.query, sort_by: sortBy, sort_order: sortOrder }),
  );
}

/** Clears all filters including the text, and the requested image. The order stays. */
export function clearAll(state: PickerState): PickerState {
  return setQuery(
    { ...state, field: fieldOf(""), facetDraft: undefined, wantedImageId: undefined },
    withoutFilters(state.query),
  );
}
