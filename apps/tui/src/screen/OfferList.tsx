import type { ReactElement } from "react";
import { Box } from "ink";
import {
  availabilityOfOffer,
  isSoldOut,
  type Balance,
  type ListedOffer,
  type ListingQuery,
  type SearchTerm,
} from "@gpu-offers/domain";
import {
  cellFacts,
  chipOf,
  countText,
  isTotalAtLeast,
  memoizeLast,
  SCREEN_COLUMNS,
  sortText,
  type CellFacts,
  type ColumnId,
} from "@gpu-offers/list";
import { columnsFor, headingText, layOut, rowText, wantsTotal, type OfferRow } from "../output/layout.js";
import type { Found } from "../picker/found.js";
import { marksOf } from "../picker/list-actions.js";
import { pendingSources } from "../picker/live-prices.js";
import { loadedSoFar } from "../picker/loaded-offers.js";
import { currentRow, visibleLines, type Divider } from "../picker/offer-view.js";
import { nearOf, readingsIn } from "../picker/reading.js";
import { bodyHeight, fundsIn, isSlow, listHeight, paneWidths, type PickerState } from "../picker/state.js";
import {
  BLANK,
  clip,
  ends,
  filled,
  highlighted,
  piece,
  piecesWidth,
  row,
  wrappedRows,
  type Piece,
  type Pieces,
} from "../text/pieces.js";
import { Row, Rows } from "./Row.js";
import { searchPatterns } from "./search-patterns.js";

const NO_TERMS: readonly SearchTerm[] = [];

const patternsOf = memoizeLast(searchPatterns);

/** Heading, rows and position of the list: two lines more than its rows. */
export function OfferList({ state }: { state: PickerState }): ReactElement {
  const { view, found } = state;
  const { list: width } = paneWidths(state);
  const height = listHeight(state);
  const layout = listLayout(state);
  const patterns = patternsOf(found.search?.terms ?? NO_TERMS);
  const lines = visibleLines(view, height);
  const current = lines.findIndex((line) => line === currentRow(view));
  const rows = lines.map((line, index) =>
    typeof line === "string"
      ? dividerPieces(line, width)
      : filled(offerPieces(line, { marks: state.marks, layout, patterns, isCurrent: index === current }), width),
  );
  return (
    <Box flexDirection="column" width={width}>
      <Row pieces={clip(headingPieces(found, layout), width)} />
      <Rows rows={rows} width={width} height={height} current={current} />
      <Row pieces={clip(positionPieces(state, layout, width), width)} />
    </Box>
  );
}

/** Columns before each row: cursor, mark, availability. */
const POINTER_WIDTH = 3;

/** The columns of a list, the context of their cells, and whether some prices are lower bounds. */
type ListLayout = ReturnType<typeof listLayout>;

/** Layout for the rows on the screen: names elsewhere take no room. */
export function listLayout(state: PickerState) {
  const { view, found, loaded, hiddenColumns } = state;
  const { facts, hasLowerBounds } = priceFacts(view.offers, found.query.disk, fundsIn(state));
  const { list: width } = paneWidths(state);
  const sized = sizedColumns(view.rows, view.top, listHeight(state), width, facts, hiddenColumns, found.query);
  // Images arrive later. Their numbers are no wider than the heading, so widths needn't be computed again.
  return { sized, hasLowerBounds, facts: { ...facts, imageCounts: imageCounts(loaded.catalog) } };
}

/** Prices have the decimals of the whole result. */
const priceFacts = memoizeLast(
  (offers: readonly ListedOffer[], diskGb: number | undefined, balance: Balance | undefined) => ({
    facts: cellFacts(offers, { diskGb, balance }),
    hasLowerBounds: offers.some((offer) => isTotalAtLeast(offer, diskGb)),
  }),
);

const sizedColumns = memoizeLast(
  (
    rows: readonly OfferRow[],
    top: number,
    height: number,
    width: number,
    facts: CellFacts,
    hidden: ReadonlySet<ColumnId>,
    query: ListingQuery,
  ) => {
    const shown = SCREEN_COLUMNS.filter(({ id }) => !hidden.has(id));
    const near = rows.slice(top, top + height).map(({ offer }) => offer);
    const options = { facts, width: width - POINTER_WIDTH - 1, sort: query.sort_by };
    return layOut(columnsFor(shown, wantsTotal(query), query.sort_by), near, options);
  },
);

const imageCounts = memoizeLast(
  ({ names: { images } }: PickerState["loaded"]["catalog"]) =>
    new Map(Array.from(images, ([provider, { length }]) => [provider, length] as const)),
);

const DIVIDERS: Readonly<Record<Divider, string>> = {
  unavailable: "sold out",
  lowerBounds: "≥ at least: disk price unknown",
};

function dividerPieces(divider: Divider, width: number): Pieces {
  const words = `   ── ${DIVIDERS[divider]} `;
  return row(words + "─".repeat(Math.max(0, width - words.length - 1)), "muted");
}

function headingPieces({ selection: { sort } }: Found, { sized, facts }: ListLayout): Pieces {
  const arrow = sort.order === "asc" ? "↑" : "↓";
  return row(`   ${headingText(sized, facts, (column) => (column.sort === sort.sort ? arrow : ""))}`, "muted");
}

function offerPieces(
  offerRow: OfferRow,
  {
    marks,
    layout,
    patterns,
    isCurrent,
  }: { marks: PickerState["marks"]; layout: ListLayout; patterns: readonly RegExp[]; isCurrent: boolean },
): Pieces {
  const { offer } = offerRow;
  const isMarked = marksOf(marks, offerRow).length > 0;
  return [
    piece(isCurrent ? "❯" : " "),
    markOf(offer, isMarked),
    // A mark must not hide that the offer is sold out, in a terminal without colors either.
    isMarked ? stockMark(offer) : piece(" "),
    ...highlighted(rowText(layout.sized, offerRow, layout.facts), patterns, isSoldOut(offer) ? "muted" : "plain"),
  ];
}

function markOf(offer: ListedOffer, isMarked: boolean): Piece {
  return isMarked ? piece("●", isSoldOut(offer) ? "warning" : "accent") : stockMark(offer);
}

/** `×` if it is sold out, `?` if its stock is unknown. */
function stockMark(offer: ListedOffer): Piece {
  const availability = availabilityOfOffer(offer);
  return availability === "sold_out"
    ? piece("×", "warning")
    : availability === "unknown"
      ? piece("?", "muted")
      : piece(" ");
}

/** Position of the cursor and notes about the list, or the current problem. */
function positionPieces(state: PickerState, layout: ListLayout, width: number): Pieces {
  const { view, loaded, found, marks } = state;
  if (loaded.load.kind === "failed") {
    return row(` ${loaded.load.problem.message}`, "warning");
  }
  const isGrouped = view.rows.length !== view.offers.length;
  const unit = isGrouped ? " rows" : "";
  const reading = loadedSoFar(loaded) === undefined ? "" : ", still loading";
  const rest = ` of ${countText(view.rows.length)}${unit}${reading}`;
  const marked = marks.size === 0 ? "" : `   ${countText(marks.size)} marked`;
  // The column with the sort mark may not fit.
  const isOrderShown = layout.sized.some(({ column }) => column.sort === found.query.sort_by);
  const left = [
    piece(` ${countText(view.cursor + 1)}`),
    piece(rest, "muted"),
    piece(marked, "accent"),
    piece(isOrderShown ? "" : ` ${sortText(found.query)}`, "muted"),
  ];
  const room = width - piecesWidth(left) - 3;
  const bounds = layout.hasLowerBounds ? ["≥ at least: disk price unknown", "≥ at least"] : [];
  const unavailable = unavailableNote(state);
  const both = unavailable === undefined ? [] : [...bounds.map((text) => `${unavailable}   ${text}`), unavailable];
  const note = [...both, ...bounds].find((text) => text.length <= room) ?? "";
  return ends(left, row(`${note} `, "muted"), width);
}

/** Number of matches that are sold out, or may be: hidden, or below the rows on the screen. */
function unavailableNote(state: PickerState): string | undefined {
  const { view, found } = state;
  const hidden = found.exclusions.find(({ name }) => name === "available")?.count ?? 0;
  if (hidden > 0) {
    return `${countText(hidden)} unavailable hidden; A shows them`;
  }
  return view.dividers.unavailable >= view.top + listHeight(state)
    ? `${countText(view.unavailable)} sold out below`
    : undefined;
}

/** A list without rows: why there are none, and what to do. */
export function EmptyList({ state }: { state: PickerState }): ReactElement {
  const { list: width } = paneWidths(state);
  return <Rows rows={[BLANK, ...emptyRows(state, width)]} width={width} height={bodyHeight(state)} />;
}

function emptyRows(state: PickerState, width: number): Pieces[] {
  const { found, loaded, place, nowMs } = state;
  if (loaded.load.kind === "failed" && loaded.offers.length === 0) {
    return [...wrappedRows(loaded.load.problem.message, width, "warning"), BLANK, row(" R retries now", "muted")];
  }
  const loadedCount = loadedSoFar(loaded);
  if (loadedCount === 0) {
    return loaded.load.kind === "loading" && isSlow(nowMs, loaded.load.sinceMs)
      ? [row(` loading offers from ${place} ...`, "muted")]
      : [];
  }
  if (loadedCount !== undefined) {
    const total = countText(loaded.total ?? loadedCount);
    return [row(` no matches in the first ${countText(loadedCount)} of ${total} offers, still loading`, "muted")];
  }
  const pending = pendingSources(state);
  if (pending.length > 0) {
    return [row(` no matches yet, fetching ${pending.join(", ")} ...`, "muted")];
  }
  const advice = found.exclusions.map(({ name, count }, index): Pieces => [
    piece(`   ${index + 1} `, "accent"),
    piece(`without ${chipOf(name, found.query)}: `),
    piece(countText(count), "strong"),
  ]);
  const reading = readingsIn(found).flatMap((sentence) => wrappedRows(sentence, width, "muted"));
  const similar = nearOf(state).map(({ text, count }): Pieces => [
    piece("   "),
    piece(text, "strong"),
    piece(`: ${countText(count)}`),
  ]);
  return [
    ...(advice.length === 0
      ? [row(" 0 offers. No single filter is responsible; press x to clear all.")]
      : [
          // In the field, digits are text.
          row(
            ` 0 offers. ${state.pane === "text" ? "After Enter, a number drops" : "Press a number to drop"} a filter:`,
          ),
          ...advice,
        ]),
    ...(reading.length === 0 ? [] : [BLANK, ...reading]),
    ...(similar.length === 0 ? [] : [BLANK, row(" Similar searches; Enter takes the first:"), ...similar]),
  ];
}
