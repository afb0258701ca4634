import type { ReactElement } from "react";
import { Box } from "ink";
import type { Offer, SearchTerm } from "@gpu-offers/domain";
import { countText, filterChip, leaveOneOut, memoizeLast, type OfferRow, sortWords } from "@gpu-offers/list";
import { headingText, rowText } from "../output/layout.js";
import { loadedSoFar } from "../picker/loaded-offers.js";
import { currentRow, visibleLines } from "../picker/offer-view.js";
import { pendingSources } from "../picker/live-prices.js";
import { nearOf } from "../picker/near-searches.js";
import { marksOf } from "../picker/list-actions.js";
import { contextOf, isSlow, listHeight, paneWidths, type PickerState } from "../picker/state.js";
import { listLayout, type ListLayout } from "./list-layout.js";
import {
  BLANK,
  clip,
  ends,
  filled,
  highlighted,
  padded,
  piece,
  piecesWidth,
  row,
  warningRows,
  type Piece,
  type Pieces,
} from "./pieces.js";
import { Row, Rows } from "./Row.js";
import { searchPatterns } from "./search-patterns.js";

const NO_TERMS: readonly SearchTerm[] = [];

/** Heading, rows and position of the list: two lines more than its visible rows. */
export function OfferList({ state }: { state: PickerState }): ReactElement {
  const { view } = state;
  const height = listHeight(state);
  const { list: width } = paneWidths(state);
  if (view.rows.length === 0) {
    return <Rows rows={padded([BLANK, ...emptyRows(state)], height + 2).map((r) => clip(r, width))} width={width} />;
  }
  const layout = listLayout(state);
  const patterns = searchPatterns(state.query.filter.search?.among(state.loaded.offers).parsed.terms ?? NO_TERMS);
  const lines = visibleLines(view, height);
  const current = lines.indexOf(currentRow(view) ?? "divider");
  const rows = lines.map((line, index) =>
    line === "divider"
      ? dividerPieces(width)
      : filled(offerPieces(state, line, { layout, patterns, isCurrent: index === current }), width),
  );
  return (
    <Box flexDirection="column" width={width}>
      <Row pieces={clip(headingPieces(state, layout), width)} />
      <Rows rows={padded(rows, height)} width={width} current={current} />
      <Row pieces={clip(positionPieces(state, layout), width)} />
    </Box>
  );
}

function dividerPieces(width: number): Pieces {
  const words = "   ── not available ";
  return row(words + "─".repeat(Math.max(0, width - words.length - 1)), "muted");
}

function headingPieces({ query: { sort, order } }: PickerState, { sized, facts }: ListLayout): Pieces {
  const arrow = order === "asc" ? "↑" : "↓";
  return row(`   ${headingText(sized, facts, (column) => (column.sort === sort ? arrow : ""))}`, "muted");
}

function offerPieces(
  { marks }: PickerState,
  offerRow: OfferRow,
  { layout, patterns, isCurrent }: { layout: ListLayout; patterns: readonly RegExp[]; isCurrent: boolean },
): Pieces {
  const { offer } = offerRow;
  const isMarked = marksOf(marks, offerRow).length > 0;
  return [
    piece(isCurrent ? "❯" : " "),
    markOf(offer, isMarked),
    // A mark must not hide that the offer is unavailable, in a terminal without colors either.
    isMarked && !offer.isAvailable ? piece("×", "warning") : piece(" "),
    ...highlighted(rowText(layout.sized, offerRow, layout.facts), patterns, offer.isAvailable ? "plain" : "muted"),
  ];
}

function markOf({ isAvailable }: Offer, isMarked: boolean): Piece {
  if (isMarked) {
    return piece("●", isAvailable ? "accent" : "warning");
  }
  return isAvailable ? piece(" ") : piece("×", "warning");
}

/** Position of the cursor and notes about the list, or the current problem. */
function positionPieces(state: PickerState, layout: ListLayout): Pieces {
  const { view, loaded } = state;
  if (loaded.load.kind === "failed") {
    return row(` ${loaded.load.problem.message}`, "warning");
  }
  const width = paneWidths(state).list;
  const isGrouped = view.rows.length !== view.offers.length;
  const unit = isGrouped ? " rows" : "";
  const reading = loadedSoFar(loaded) === undefined ? "" : ", still loading";
  const rest = ` of ${countText(view.rows.length)}${unit}${reading}`;
  const marked = state.marks.size === 0 ? "" : `   ${countText(state.marks.size)} marked`;
  const left = [
    piece(` ${countText(view.cursor + 1)}`),
    piece(rest, "muted"),
    piece(marked, "accent"),
    piece(hiddenOrder(state, layout), "muted"),
  ];
  const room = width - piecesWidth(left) - 3;
  const bounds = layout.hasLowerBounds ? ["≥ at least: disk price unknown", "≥ at least"] : [];
  const unavailable = unavailableNote(state);
  const both = unavailable === undefined ? [] : [...bounds.map((text) => `${unavailable}   ${text}`), unavailable];
  const taken = understoodText(state);
  const note = [...(taken === "" ? [] : [taken]), ...both, ...bounds].find((text) => text.length <= room) ?? "";
  return ends(left, row(`${note} `, "muted"), width);
}

/** How the words were taken, if otherwise than written: `under $2: at most $2 per GPU-hour`. */
function understoodText({ loaded, query }: PickerState): string {
  const understood = query.filter.search?.among(loaded.offers).parsed.understood ?? [];
  return understood.map(({ text, as }) => `${text}: ${as}`).join("; ");
}

/** Describes the order if the column with the sort mark doesn't fit. */
function hiddenOrder({ query }: PickerState, { sized }: ListLayout): string {
  return sized.some(({ column }) => column.sort === query.sort) ? "" : ` ${sortWords(query)}`;
}

/** Number of matches that are unavailable: hidden, or below the rows on the screen. */
function unavailableNote({ loaded, query, view, rows }: PickerState): string | undefined {
  if (query.filter.available === true) {
    const count = leaveOneOut(loaded.offers, query.filter).find(({ key }) => key === "available")?.count ?? 0;
    return count === 0 ? undefined : `${countText(count)} unavailable hidden; A shows them`;
  }
  return view.divider >= view.top + listHeight({ rows })
    ? `${countText(countUnavailable(view.offers))} not available below`
    : undefined;
}

const countUnavailable = memoizeLast((offers: readonly Offer[]): number => {
  const first = offers.findIndex(({ isAvailable }) => !isAvailable);
  return first === -1 ? 0 : offers.length - first;
});

function emptyRows(state: PickerState): Pieces[] {
  const { loaded, query } = state;
  const width = paneWidths(state).list;
  if (loaded.load.kind === "failed" && loaded.offers.length === 0) {
    return [...warningRows(loaded.load.problem.message, width), BLANK, row(" R retries now", "muted")];
  }
  const loadedCount = loadedSoFar(loaded);
  if (loadedCount === 0) {
    return loaded.load.kind === "loading" && isSlow(state, loaded.load.sinceMs)
      ? [row(` loading offers from ${state.place} ...`, "muted")]
      : [];
  }
  if (loadedCount !== undefined) {
    const total = countText(loaded.total ?? loadedCount);
    return [row(` no matches in the first ${countText(loadedCount)} of ${total} offers, still loading`, "muted")];
  }
  const fetching = pendingSources(state);
  if (fetching.length > 0) {
    return [row(` no matches yet, fetching ${fetching.join(", ")} ...`, "muted")];
  }
  const advice = leaveOneOut(loaded.offers, query.filter).map(({ key, count }, index): Pieces => [
    piece(`   ${index + 1} `, "accent"),
    piece(`without ${filterChip(key, query.filter)}: `),
    piece(countText(count), "strong"),
  ]);
  const near = nearOf(state).map(({ text, count }): Pieces => [
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
            ` 0 offers. ${contextOf(state) === "text" ? "After Enter, a number drops" : "Press a number to drop"} a filter:`,
          ),
          ...advice,
        ]),
    ...(near.length === 0 ? [] : [BLANK, row(" Similar searches; Enter takes the first:"), ...near]),
  ];
}
