import type { ReactElement } from "react";
import { Box } from "ink";
import { availabilityOfOffer, isSoldOut, type ListedOffer, type SearchTerm } from "@gpu-offers/domain";
import { countText, memoizeLast, sortText } from "@gpu-offers/list";
import { headingText, rowText, type OfferRow } from "../output/layout.js";
import type { Found } from "../picker/found.js";
import { marksOf } from "../picker/list-actions.js";
import { loadedSoFar } from "../picker/loaded-offers.js";
import { currentRow, visibleLines, type Divider } from "../picker/offer-view.js";
import { listHeight, paneWidths, type PickerState } from "../picker/state.js";
import { clip, ends, filled, highlighted, piece, piecesWidth, row, type Piece, type Pieces } from "../text/pieces.js";
import { listLayout, type ListLayout } from "./list-layout.js";
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
  const left = [
    piece(` ${countText(view.cursor + 1)}`),
    piece(rest, "muted"),
    piece(marked, "accent"),
    piece(hiddenOrder(found, layout), "muted"),
  ];
  const room = width - piecesWidth(left) - 3;
  const bounds = layout.hasLowerBounds ? ["≥ at least: disk price unknown", "≥ at least"] : [];
  const unavailable = unavailableNote(state);
  const both = unavailable === undefined ? [] : [...bounds.map((text) => `${unavailable}   ${text}`), unavailable];
  const note = [...both, ...bounds].find((text) => text.length <= room) ?? "";
  return ends(left, row(`${note} `, "muted"), width);
}

/** Describes the order if the column with the sort mark doesn't fit. */
function hiddenOrder({ query }: Found, { sized }: ListLayout): string {
  return sized.some(({ column }) => column.sort === query.sort_by) ? "" : ` ${sortText(query)}`;
}

/** Number of matches that are sold out, or may be: hidden, or below the rows on the screen. */
function unavailableNote(state: PickerState): string | undefined {
  const { view, found } = state;
  const hidden = found.exclusions.find(({ name }) => name === "available")?.count ?? 0;
  if (hidden > 0) {
    return `${countText(hidden)} unavailable hidden; A shows them`;
  }
  return view.unavailableFrom >= view.top + listHeight(state)
    ? `${countText(view.unavailable)} sold out below`
    : undefined;
}
