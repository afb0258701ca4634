import { useMemo, type ReactElement } from "react";
import { Box } from "ink";
import type { Offer, SearchTerm } from "@gpu-offers/domain";
import { countText, leaveOneOut, type OfferRow, type Query, sortWords, understoodIn } from "@gpu-offers/list";
import { headingText, rowText } from "../output/layout.js";
import { loadedSoFar, type LoadedOffers } from "../picker/loaded-offers.js";
import { currentRow, visibleLines, type Divider, type OfferView } from "../picker/offer-view.js";
import { marksOf } from "../picker/list-actions.js";
import type { ListLayout } from "./list-layout.js";
import { clip, ends, filled, highlighted, padded, piece, piecesWidth, row, type Piece, type Pieces } from "./pieces.js";
import { Row, Rows } from "./Row.js";
import { searchPatterns } from "./search-patterns.js";

const NO_TERMS: readonly SearchTerm[] = [];

interface OfferListProps {
  view: OfferView;
  query: Query;
  loaded: LoadedOffers;
  marks: ReadonlyMap<string, Offer>;
  layout: ListLayout;
  width: number;
  /** Number of rows, without heading and position. */
  height: number;
}

/** Heading, rows and position of the list: two lines more than its rows. */
export function OfferList(props: OfferListProps): ReactElement {
  const { view, query, loaded, marks, layout, width, height } = props;
  const terms = query.filter.search?.among(loaded.offers).parsed.terms ?? NO_TERMS;
  const patterns = useMemo(() => searchPatterns(terms), [terms]);
  const { offers } = loaded;
  const hidden = useMemo(() => hiddenCount(offers, query), [offers, query]);
  const lines = visibleLines(view, height);
  const currentLine = currentRow(view);
  const current = currentLine === undefined ? -1 : lines.indexOf(currentLine);
  const rows = lines.map((line, index) =>
    typeof line === "string"
      ? dividerPieces(line, width)
      : filled(offerPieces(line, { marks, layout, patterns, isCurrent: index === current }), width),
  );
  return (
    <Box flexDirection="column" width={width}>
      <Row pieces={clip(headingPieces(query, layout), width)} />
      <Rows rows={padded(rows, height)} width={width} current={current} />
      <Row pieces={clip(positionPieces(props, hidden), width)} />
    </Box>
  );
}

const DIVIDERS: Readonly<Record<Divider, string>> = {
  unavailable: "not available",
  lowerBounds: "≥ at least: disk price unknown",
};

function dividerPieces(divider: Divider, width: number): Pieces {
  const words = `   ── ${DIVIDERS[divider]} `;
  return row(words + "─".repeat(Math.max(0, width - words.length - 1)), "muted");
}

function headingPieces({ sort, order }: Query, { sized, facts }: ListLayout): Pieces {
  const arrow = order === "asc" ? "↑" : "↓";
  return row(`   ${headingText(sized, facts, (column) => (column.sort === sort ? arrow : ""))}`, "muted");
}

function offerPieces(
  offerRow: OfferRow,
  {
    marks,
    layout,
    patterns,
    isCurrent,
  }: Pick<OfferListProps, "marks" | "layout"> & { patterns: readonly RegExp[]; isCurrent: boolean },
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
function positionPieces(props: OfferListProps, hidden: number): Pieces {
  const { view, loaded, query, marks, layout, width } = props;
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
    piece(hiddenOrder(query, layout), "muted"),
  ];
  const room = width - piecesWidth(left) - 3;
  const bounds = layout.hasLowerBounds ? ["≥ at least: disk price unknown", "≥ at least"] : [];
  const unavailable = unavailableNote(props, hidden);
  const both = unavailable === undefined ? [] : [...bounds.map((text) => `${unavailable}   ${text}`), unavailable];
  const taken = understoodText(props);
  const note = [...(taken === "" ? [] : [taken]), ...both, ...bounds].find((text) => text.length <= room) ?? "";
  return ends(left, row(`${note} `, "muted"), width);
}

/** How the words were taken, if otherwise than written: `under $2: at most $2 per GPU-hour`. */
function understoodText({ loaded, query }: OfferListProps): string {
  return understoodIn(loaded.offers, query)
    .map(({ text, as }) => `${text}: ${as}`)
    .join("; ");
}

/** Describes the order if the column with the sort mark doesn't fit. */
function hiddenOrder(query: Query, { sized }: ListLayout): string {
  return sized.some(({ column }) => column.sort === query.sort) ? "" : ` ${sortWords(query)}`;
}

/** Number of matches that are hidden because they are unavailable. */
function hiddenCount(offers: readonly Offer[], { filter }: Query): number {
  const excluded = filter.available === true ? leaveOneOut(offers, filter) : [];
  return excluded.find(({ key }) => key === "available")?.count ?? 0;
}

/** Number of matches that are unavailable: hidden, or below the rows on the screen. */
function unavailableNote({ view, height }: OfferListProps, hidden: number): string | undefined {
  if (hidden > 0) {
    return `${countText(hidden)} unavailable hidden; A shows them`;
  }
  return view.unavailableFrom >= view.top + height ? `${countText(view.unavailable)} not available below` : undefined;
}
