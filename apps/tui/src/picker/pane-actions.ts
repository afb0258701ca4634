import { readParameter } from "@gpu-offers/domain";
import { HIDEABLE_COLUMNS, SCREEN_COLUMNS, toggled, typed } from "@gpu-offers/list";
import { charactersOf } from "../text/width.js";
import { setQuery, setText } from "./query-actions.js";
import { shownFacets, type FacetRow } from "./facet-rows.js";
import { movedCursor, type Action, type Key } from "./keys.js";
import { movedList, openFacets } from "./list-actions.js";
import { withToggled } from "./offer-view.js";
import { nearOf } from "./reading.js";
import {
  bodyHeight,
  hasSidePanes,
  listHeight,
  paneWidths,
  type Pane,
  type PickerState,
  type SidePane,
} from "./state.js";
import { edited, fieldOf, insert, paste, type TextField } from "./text-field.js";

// Handles keys of the panes over or beside the list: filter field, facets, columns.

/** The panes that Tab cycles through, from left to right. */
const TAB_ORDER: readonly Pane[] = ["facets", "none", "details"];

/** The next visible pane. */
export function movedPane(state: PickerState, direction: 1 | -1): PickerState {
  const widths = paneWidths({ ...state, pane: "none" });
  if (widths.details === 0 && widths.facets === 0 && !hasSidePanes(state)) {
    return openFacets(state);
  }
  const isShown = (pane: Pane): boolean => pane === "none" || pane === "facets" || widths[pane as SidePane] > 0;
  const panes = TAB_ORDER.filter(isShown);
  const next = panes[(panes.indexOf(state.pane) + direction + panes.length) % panes.length] ?? "none";
  return next === "facets" ? openFacets(state) : { ...state, pane: next, paneTop: 0 };
}

/** Handles keys of the filter field. The list is filtered after every character. */
export function actOnText(state: PickerState, action: Action | undefined, key: Key): PickerState {
  if (action === undefined) {
    return isCharacter(key) ? withText(state, insert(state.field, key)) : state;
  }
  const [nearest] = action === "keep" ? nearOf(state) : [];
  if (nearest !== undefined) {
    return withText(state, fieldOf(nearest.text));
  }
  if (action === "keep" || action === "leave") {
    return { ...withHistory(state), pane: "none" };
  }
  if (action === "earlier") {
    return earlierText(state);
  }
  const field = edited(state.field, action);
  return movedList(state, action) ?? (field === undefined ? state : withText(state, field));
}

/**
 * Inserts pasted text into the filter field, and opens it. If the field was closed, the text adds words to its filter
 * and doesn't continue the last one.
 */
export function pasteText(state: PickerState, text: string): PickerState {
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

function earlierText(state: PickerState): PickerState {
  const { typed: text, count } = state.recalled ?? { typed: state.field.text, count: 0 };
  const earlier = state.history.filter((other) => other !== text.trim());
  if (earlier.length === 0) {
    return { ...state, notice: "no earlier filter" };
  }
  const next = earlier[count];
  const recalled = next === undefined ? undefined : { typed: text, count: count + 1 };
  return { ...withText(state, fieldOf(next ?? text)), recalled };
}

function withText(state: PickerState, field: TextField): PickerState {
  const text = field.text.trim() === "" ? undefined : field.text;
  const next = { ...state, field, recalled: field.text === state.field.text ? state.recalled : undefined };
  // The word at the cursor may be incomplete, and a slip is replaced by the nearest name.
  const cursor = charactersOf(field.text).slice(0, field.cursor).join("").length;
  return text === state.query.q ? next : setText(next, field, { cursor, takesSlips: true });
}

/** Index of the row under the cursor: there may be fewer rows than when the cursor was moved. */
export function facetPlace({ facetCursor }: PickerState, rows: readonly FacetRow[]): number {
  return Math.max(0, Math.min(facetCursor, rows.length - 1));
}

/** Handles keys of the facets: those that can be part of a field's value are typed into it, others search for a value. */
export function actOnFacets(state: PickerState, action: Action | undefined, key: Key): PickerState {
  const rows = shownFacets(state);
  const cursor = facetPlace(state, rows);
  const row = rows[cursor];
  const character =
    isCharacter(key) && row?.kind === "text" ? typeFacet(state, row, (state.facetDraft ?? "") + key) : undefined;
  const acted = character ?? (action === undefined ? undefined : FACET_HANDLERS[action]?.(state, row, key));
  if (acted !== undefined) {
    return acted;
  }
  const lines = { cursor, count: rows.length, height: bodyHeight(state) };
  const facetCursor = movedCursor(action, lines);
  if (facetCursor !== undefined) {
    return { ...state, facetCursor, facetDraft: undefined };
  }
  return action === undefined && isCharacter(key) ? typeFacetKey(state, row, key) : state;
}

type FacetHandler = (state: PickerState, row: FacetRow | undefined, key: Key) => PickerState;

const FACET_HANDLERS: Partial<Record<Action, FacetHandler>> = {
  close: (state) => (state.facetSearch === "" ? closeFacets(state) : searchFor(state, "")),
  toggle: toggleRow,
  toggleUnlessTyped: (state, row) =>
    state.facetSearch === "" ? toggleRow(state, row) : searchFor(state, `${state.facetSearch} `),
  backspace: (state, row) => eraseFacet(state, row, (text) => text.slice(0, -1)),
  killLine: (state, row) => eraseFacet(state, row, () => ""),
};

type FieldRow = Extract<FacetRow, { text: string }>;

function isField(row: FacetRow | undefined): row is FieldRow {
  return row?.kind === "number" || row?.kind === "text";
}

function eraseFacet(state: PickerState, row: FacetRow | undefined, erased: (text: string) => string): PickerState {
  return isField(row)
    ? typeFacet(state, row, erased(state.facetDraft ?? row.text))
    : searchFor(state, erased(state.facetSearch));
}

/** Inserts pasted text into the facets: a number into a number facet, anything else into a text facet or the search. */
export function pasteFacet(state: PickerState, text: string): PickerState {
  const rows = shownFacets(state);
  const row = rows[facetPlace(state, rows)];
  const { text: plain } = paste(fieldOf(""), text);
  return isField(row) && (row.kind === "text" || /^\$?[\d.,]/.test(plain))
    ? typeFacet(state, row, plain)
    : searchFor(state, state.facetSearch + plain);
}

function closeFacets(state: PickerState): PickerState {
  const closed = { ...state, pane: "none", facetDraft: undefined, facetSearch: "" } as const;
  return { ...closed, closedPanes: new Set([...state.closedPanes, "facets"]) };
}

function searchFor(state: PickerState, facetSearch: string): PickerState {
  return { ...state, facetSearch: facetSearch.slice(0, 40), facetCursor: 0, facetDraft: undefined };
}

function typeFacetKey(state: PickerState, row: FacetRow | undefined, key: Key): PickerState {
  // The first digit replaces the current number, like in a field with selected text.
  const isNumber = state.facetDraft === undefined || state.facetDraft === "" ? /^[\d.,$]$/ : /^[\w.,$/]$/;
  return row?.kind === "number" && isNumber.test(key)
    ? typeFacet(state, row, (state.facetDraft ?? "") + key)
    : searchFor(state, state.facetSearch + key);
}

/** Sets a field as typed or pasted, and says what it must be if it can't be read. */
function typeFacet(state: PickerState, { name }: FieldRow, text: string): PickerState {
  const query = typed(state.query, name, text);
  if (query === undefined) {
    return state;
  }
  const read = readParameter(name, text);
  const next = setQuery({ ...state, facetDraft: text }, query);
  return read.ok || !/\d{3}|\d[a-z]/i.test(text) ? next : { ...next, notice: `It ${read.reason}.` };
}

function toggleRow(state: PickerState, row: FacetRow | undefined): PickerState {
  if (row === undefined) {
    return state;
  }
  const next = { ...state, facetDraft: undefined };
  if (isField(row)) {
    // What was typed is set already.
    const notice = `Type a ${row.kind}. Ctrl-U erases it.`;
    return state.facetDraft === undefined ? { ...next, notice } : next;
  }
  const value = row.kind === "value" ? row.value : undefined;
  return keepFacet(setQuery(next, toggled(state.query, row.control, value)), row);
}

/** Setting a value may change its position, because values are sorted by count. The cursor follows it. */
function keepFacet(state: PickerState, row: FacetRow): PickerState {
  const rows = shownFacets(state);
  const place = rows.findIndex(
    (other) => row.kind === "value" && other.kind === "value" && other.name === row.name && other.value === row.value,
  );
  return { ...state, facetCursor: place === -1 ? facetPlace(state, rows) : place };
}

/** Handles keys of the column chooser. */
export function actOnColumns(state: PickerState, action: Action | undefined): PickerState {
  const column = SCREEN_COLUMNS[state.columnCursor];
  if (action === "close") {
    return { ...state, pane: "none" };
  }
  if (action === "toggle" && column !== undefined && HIDEABLE_COLUMNS.includes(column.id)) {
    return { ...state, hiddenColumns: withToggled(state.hiddenColumns, column.id) };
  }
  const lines = { cursor: state.columnCursor, count: SCREEN_COLUMNS.length, height: listHeight(state) };
  const columnCursor = movedCursor(action, lines);
  return columnCursor === undefined ? state : { ...state, columnCursor };
}
