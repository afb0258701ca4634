import { compileSearch, type SearchOptions } from "@gpu-offers/domain";
import {
  type ColumnId,
  type FacetRow,
  facetRows,
  foundFacets,
  HIDEABLE_COLUMNS,
  SCREEN_COLUMNS,
  toggleFacet,
  typeFacet,
} from "@gpu-offers/list";
import { charactersOf } from "../text/width.js";
import { setQuery, setText } from "./query-actions.js";
import { movedCursor } from "./cursor.js";
import { knownImages } from "./image-list.js";
import { step, type Step } from "./event.js";
import type { Action, Key } from "./keys.js";
import { movedList, openFacets } from "./list-actions.js";
import { nearOf } from "./near-searches.js";
import {
  bodyHeight,
  hasSidePanes,
  listHeight,
  paneWidths,
  type Pane,
  type PickerState,
  type SidePane,
} from "./state.js";
import { edit, EDIT_NAMES, fieldOf, insert, paste, type EditName, type TextField } from "./text-field.js";

// Handles keys of the panes over or beside the list: filter field, facets, columns.

/** The panes that Tab cycles through, from left to right. */
const TAB_ORDER: readonly Pane[] = ["facets", "none", "details"];

/** The next visible pane. */
export function movedPane(state: PickerState, direction: 1 | -1): Step {
  const widths = paneWidths({ ...state, pane: "none" });
  if (widths.details === 0 && widths.facets === 0 && !hasSidePanes(state)) {
    return openFacets(state);
  }
  const isShown = (pane: Pane): boolean => pane === "none" || pane === "facets" || widths[pane as SidePane] > 0;
  const panes = TAB_ORDER.filter(isShown);
  const next = panes[(panes.indexOf(state.pane) + direction + panes.length) % panes.length] ?? "none";
  return next === "facets" ? openFacets(state) : step({ ...state, pane: next, paneTop: 0 });
}

/** Handles keys of the filter field. The list is filtered after every character. */
export function actOnText(state: PickerState, action: Action | undefined, key: Key): Step {
  if (action === undefined) {
    return isCharacter(key) ? withText(state, insert(state.field, key)) : step(state);
  }
  const [nearest] = action === "keep" ? nearOf(state) : [];
  if (nearest !== undefined) {
    return withText(state, fieldOf(nearest.text));
  }
  if (action === "keep" || action === "leave") {
    return step({ ...withHistory(state), pane: "none" });
  }
  if (action === "earlier") {
    return earlierText(state);
  }
  const moved = movedList(state, action);
  if (moved !== undefined) {
    return step(moved);
  }
  return EDIT_NAMES.has(action) ? withText(state, edit(state.field, action as EditName)) : step(state);
}

/**
 * Inserts pasted text into the filter field, and opens it. If the field was closed, the text adds words to its filter
 * and doesn't continue the last one.
 */
export function pasteText(state: PickerState, text: string): Step {
  const field =
    state.pane === "text" || state.field.text === "" ? state.field : fieldOf(`${state.field.text.trimEnd()} `);
  return withText({ ...state, pane: "text" }, paste(field, text));
}

/** Whether a key types a character. Names of other keys are longer. */
function isCharacter(key: Key): boolean {
  return charactersOf(key).length === 1;
}

/** Maximum number of saved filters. */
const MAX_HISTORY = 50;

function withHistory(state: PickerState): PickerState {
  const text = state.field.text.trim();
  return text === "" || text === state.history[0]
    ? state
    : { ...state, history: [text, ...state.history.filter((other) => other !== text)].slice(0, MAX_HISTORY) };
}

function earlierText(state: PickerState): Step {
  const { typed, count } = state.recalled ?? { typed: state.field.text, count: 0 };
  const earlier = state.history.filter((text) => text !== typed.trim());
  if (earlier.length === 0) {
    return step({ ...state, notice: "no earlier filter" });
  }
  const text = earlier[count];
  const recalled = text === undefined ? undefined : { typed, count: count + 1 };
  const { state: next, commands } = withText(state, fieldOf(text ?? typed));
  return step({ ...next, recalled }, ...commands);
}

/** In a field, the word at the cursor may be incomplete, and a slip is replaced by the nearest name. */
function fieldOptions({ text, cursor }: TextField): SearchOptions {
  return { cursor: charactersOf(text).slice(0, cursor).join("").length, takesSlips: true };
}

function withText(state: PickerState, field: TextField): Step {
  const text = field.text.trim() === "" ? undefined : field.text;
  const next = { ...state, field, recalled: field.text === state.field.text ? state.recalled : undefined };
  return text === state.query.filter.search?.text
    ? step(next)
    : setText(next, field, text === undefined ? undefined : compileSearch(text, fieldOptions(field)));
}

/** The visible facets: all, or the values found by the search. */
export function shownFacets({
  loaded,
  query,
  facetSearch,
  images,
}: Pick<PickerState, "loaded" | "query" | "facetSearch" | "images">): readonly FacetRow[] {
  return foundFacets(facetRows(loaded.offers, query.filter, knownImages(images)), facetSearch);
}

/** Index of the row under the cursor: there may be fewer rows than when the cursor was moved. */
export function facetPlace({ facetCursor }: PickerState, rows: readonly FacetRow[]): number {
  return Math.max(0, Math.min(facetCursor, rows.length - 1));
}

/** Handles keys of the facets: digits set a number, other characters search for a value. */
export function actOnFacets(state: PickerState, action: Action | undefined, key: Key): Step {
  const rows = shownFacets(state);
  const cursor = facetPlace(state, rows);
  const row = rows[cursor];
  const acted = action === undefined ? undefined : FACET_HANDLERS[action]?.(state, row, key);
  if (acted !== undefined) {
    return acted;
  }
  const lines = { cursor, count: rows.length, height: bodyHeight(state) };
  const facetCursor = movedCursor(action, lines);
  if (facetCursor !== undefined) {
    return step({ ...state, facetCursor, facetDraft: undefined });
  }
  return action === undefined && isCharacter(key) ? typeFacetKey(state, row, key) : step(state);
}

const FACET_HANDLERS: Partial<Record<Action, (state: PickerState, row: FacetRow | undefined, key: Key) => Step>> = {
  nextPane: (state) => movedPane(state, 1),
  previousPane: (state) => movedPane(state, -1),
  close: (state) => step(state.facetSearch === "" ? closeFacets(state) : searchFor(state, "")),
  closeUnlessTyped: (state, _, key) =>
    step(state.facetSearch === "" ? closeFacets(state) : searchFor(state, state.facetSearch + key)),
  toggle: toggleRow,
  toggleUnlessTyped: (state, row) =>
    state.facetSearch === "" ? toggleRow(state, row) : step(searchFor(state, `${state.facetSearch} `)),
  backspace: (state, row) =>
    row?.kind === "number"
      ? typeNumber(state, row, (state.facetDraft ?? String(row.value ?? "")).slice(0, -1))
      : step(searchFor(state, state.facetSearch.slice(0, -1))),
  killLine: (state, row) => (row?.kind === "number" ? typeNumber(state, row, "") : step(searchFor(state, ""))),
};

/** Inserts pasted text into the facets: a number into a number facet, anything else into the search. */
export function pasteFacet(state: PickerState, text: string): Step {
  const rows = shownFacets(state);
  const row = rows[facetPlace(state, rows)];
  const { text: plain } = paste(fieldOf(""), text);
  return row?.kind === "number" && /^[\d.,]+$/.test(plain)
    ? typeNumber(state, row, plain)
    : step(searchFor(state, state.facetSearch + plain));
}

function closeFacets(state: PickerState): PickerState {
  const closed = { ...state, pane: "none", facetDraft: undefined, facetSearch: "" } as const;
  return { ...closed, closedPanes: new Set([...state.closedPanes, "facets"]) };
}

function searchFor(state: PickerState, facetSearch: string): PickerState {
  return { ...state, facetSearch: facetSearch.slice(0, 40), facetCursor: 0, facetDraft: undefined };
}

function typeFacetKey(state: PickerState, row: FacetRow | undefined, key: Key): Step {
  if (row?.kind === "number" && /^[\d.,]$/.test(key)) {
    // The first digit replaces the current number, like in a field with selected text.
    return typeNumber(state, row, (state.facetDraft ?? "") + key);
  }
  return step(searchFor(state, state.facetSearch + key));
}

/** Sets a number as typed or pasted. A comma is a decimal point in prices, and separates thousands in whole numbers. */
function typeNumber(state: PickerState, row: FacetRow & { kind: "number" }, text: string): Step {
  const draft = text.replaceAll(",", row.facet.isPrice ? "." : "");
  const filter = typeFacet(state.query.filter, row.facet, draft);
  return filter === undefined ? step(state) : setQuery({ ...state, facetDraft: draft }, { ...state.query, filter });
}

function toggleRow(state: PickerState, row: FacetRow | undefined): Step {
  if (row === undefined) {
    return step(state);
  }
  const next = { ...state, facetDraft: undefined };
  if (row.kind === "number") {
    // What was typed is set already.
    return step(state.facetDraft === undefined ? { ...next, notice: "Type a number. Ctrl-U erases it." } : next);
  }
  return keepFacet(
    setQuery(next, { ...state.query, filter: toggleFacet(state.query.filter, row, knownImages(state.images)) }),
    row,
  );
}

/** Setting a value may change its position, because values are sorted by count. The cursor follows it. */
function keepFacet({ state, commands }: Step, row: FacetRow): Step {
  const rows = shownFacets(state);
  const place = rows.findIndex(
    (other) => row.kind === "value" && other.kind === "value" && other.key === row.key && other.value === row.value,
  );
  const facetCursor = place === -1 ? facetPlace(state, rows) : place;
  return { state: { ...state, facetCursor }, commands };
}

/** Handles keys of the column chooser. */
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
