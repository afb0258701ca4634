import { HIDEABLE_COLUMNS, SCREEN_COLUMNS, type ColumnId } from "../output/columns.js";
import { ask, clearAll } from "./ask.js";
import { movedCursor } from "./cursor.js";
import { step, type Step } from "./event.js";
import { facetRows, toggleFacet, typeFacet } from "../query/facets.js";
import type { Key } from "./key-decoder.js";
import type { Action } from "./keys.js";
import { movedList } from "./list-actions.js";
import { moveTo } from "./offer-view.js";
import { withFilter } from "../query/query.js";
import { listHeight, type PickerState } from "./state.js";
import { edit, EDIT_NAMES, insert, type EditName, type TextField } from "./text-field.js";
import { charactersOf } from "../text/width.js";

// What keys do in the panes over the list: the filter field, the facets, the columns, and those that only show.

/** What keys do in the filter field: the list follows every character. */
export function actOnText(state: PickerState, action: Action | undefined, key: Key): Step {
  if (action === undefined) {
    return isCharacter(key) ? withText(state, insert(state.field, key)) : step(state);
  }
  if (action === "keep" || action === "leave") {
    return step({ ...state, pane: "none" });
  }
  const moved = movedList(state, action);
  if (moved !== undefined) {
    return step(moved);
  }
  return EDIT_NAMES.has(action) ? withText(state, edit(state.field, action as EditName)) : step(state);
}

/** Other keys have names that are longer: those that a terminal sends, but that mean nothing here. */
function isCharacter(key: Key): boolean {
  return charactersOf(key).length === 1;
}

function withText(state: PickerState, field: TextField): Step {
  const text = field.text.trim() === "" ? undefined : field.text;
  const next = { ...state, field };
  return text === state.query.filter.text
    ? step(next)
    : atTop(ask(next, { ...state.query, filter: withFilter(state.query.filter, "text", text) }));
}

/** Who types looks at the best match, which is the first one. */
function atTop({ state, commands }: Step): Step {
  return { state: { ...state, view: moveTo(state.view, 0, listHeight(state)) }, commands };
}

/** What keys do in the facets. */
export function actOnFacets(state: PickerState, action: Action | undefined, key: Key): Step {
  const rows = facetRows(state.held.offers, state.query.filter);
  const row = rows[state.facetCursor];
  if (action === "close") {
    return step({ ...state, pane: "none", facetDraft: undefined });
  }
  if (action === "clearAll") {
    return clearAll(state);
  }
  if (action === "toggle" && row !== undefined) {
    const next = { ...state, facetDraft: undefined };
    return keepFacet(ask(next, { ...state.query, filter: toggleFacet(state.query.filter, row) }), row);
  }
  const lines = { cursor: state.facetCursor, count: rows.length, height: listHeight(state) };
  const facetCursor = movedCursor(action, lines);
  if (facetCursor !== undefined) {
    return step({ ...state, facetCursor, facetDraft: undefined });
  }
  if (row?.kind !== "number") {
    return step(state);
  }
  // The first digit takes the place of the number that is set, as in a field whose text is selected.
  const draft =
    action === "backspace"
      ? (state.facetDraft ?? String(row.value ?? "")).slice(0, -1)
      : (state.facetDraft ?? "") + key;
  const filter = typeFacet(state.query.filter, row.facet, draft);
  return filter === undefined ? step(state) : ask({ ...state, facetDraft: draft }, { ...state.query, filter });
}

/** A value that is set may move in the order of counts: the cursor stays on it. */
function keepFacet({ state, commands }: Step, row: ReturnType<typeof facetRows>[number]): Step {
  const rows = facetRows(state.held.offers, state.query.filter);
  const place = rows.findIndex(
    (other) => row.kind === "value" && other.kind === "value" && other.key === row.key && other.value === row.value,
  );
  const facetCursor = place === -1 ? Math.min(state.facetCursor, rows.length - 1) : place;
  return { state: { ...state, facetCursor }, commands };
}

/** What keys do in the choice of columns. */
export function actOnColumns(state: PickerState, action: Action | undefined): Step {
  const column = SCREEN_COLUMNS[state.columnCursor];
  if (action === "close") {
    return step({ ...state, pane: "none" });
  }
  if (action === "toggle" && column !== undefined && HIDEABLE_COLUMNS.includes(column.id)) {
    return step({ ...state, hiddenColumns: toggled(state.hiddenColumns, column.id) });
  }
  const lines = { cursor: state.columnCursor, count: SCREEN_COLUMNS.length, height: listHeight(state) };
  const columnCursor = movedCursor(action, lines);
  return step(columnCursor === undefined ? state : { ...state, columnCursor });
}

function toggled(hidden: ReadonlySet<ColumnId>, id: ColumnId): ReadonlySet<ColumnId> {
  const next = new Set(hidden);
  if (!next.delete(id)) {
    next.add(id);
  }
  return next;
}
