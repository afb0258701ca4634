import { footerText } from "../picker/keys.js";
import { currentOffer } from "../picker/offer-view.js";
import {
  contextOf,
  hasSidePane,
  LEAST_COLUMNS,
  LEAST_ROWS,
  listHeight,
  SIDE_PANE_WIDTH,
  type PickerState,
} from "../picker/state.js";
import { filterLine, headerLine } from "./header-lines.js";
import { clip, line, piece, type Line } from "./line.js";
import { listLines, padded } from "./list-lines.js";
import { listWidth } from "./list-layout.js";
import { summaryParts } from "./offer-words.js";
import { accountLines, columnLines, detailLines, facetLines, helpLines } from "./pane-lines.js";
import { stepLines } from "./step-lines.js";

/** The parts of a whole screen. Together they have exactly its rows, and no line is wider than its part. */
export interface ScreenLines {
  top: readonly Line[];
  body: readonly Line[];
  /** Details beside the body, where there is room. */
  side: readonly Line[] | undefined;
  bottom: readonly Line[];
}

/** Everything that is on the screen. */
export function screenLines(state: PickerState): ScreenLines {
  const { columns, rows } = state;
  if (columns < LEAST_COLUMNS || rows < LEAST_ROWS) {
    const words = `gpu-offers needs ${LEAST_COLUMNS}x${LEAST_ROWS}, this is ${columns}x${rows}`;
    return { top: [clip(line(words), columns)], body: padded([], rows - 1), side: undefined, bottom: [] };
  }
  const isList = contextOf(state) === "list" || state.pane === "text";
  const side = isList && hasSidePane(state) ? sideLines(state) : undefined;
  const height = listHeight(state) + 2;
  return {
    top: [headerLine(state), filterLine(state)].map((top) => clip(top, columns)),
    body: padded(bodyLines(state), height).map((body) => clip(body, side === undefined ? columns : listWidth(state))),
    side,
    bottom: bottomLines(state).map((bottom) => clip(bottom, columns)),
  };
}

function bodyLines(state: PickerState): Line[] {
  switch (state.pane) {
    case "facets":
      return facetLines(state);
    case "columns":
      return columnLines(state);
    case "details":
      return detailLines(state);
    case "account":
      return accountLines(state);
    case "help":
      return helpLines(state);
    case "text":
      return listLines(state);
    case "none":
      return state.choice === undefined || state.choice.stage === "offer"
        ? listLines(state)
        : stepLines(state, state.choice);
  }
}

function sideLines(state: PickerState): Line[] {
  return padded(detailLines(state), listHeight(state) + 2).map((details) =>
    clip([piece("│", "muted"), ...details], SIDE_PANE_WIDTH),
  );
}

/** A rule, the offer that is meant, and the keys or a word about the last one. */
function bottomLines(state: PickerState): Line[] {
  const { columns, notice, choice, query, credit, view } = state;
  const offer = choice === undefined || choice.stage === "offer" ? currentOffer(view) : choice.offer;
  const parts = offer === undefined ? [] : summaryParts(offer, query.filter.diskGb, credit?.balance);
  return [
    line("─".repeat(columns), "muted"),
    summaryLine(parts, columns),
    notice === undefined
      ? line(` ${footerText(contextOf(state), columns - 2)}`, "muted")
      : line(` ${notice}`, "accent"),
  ];
}

/** As many whole parts as fit; those in the middle go first, since price and runway are at the end. */
function summaryLine(parts: readonly string[], width: number): Line {
  const shown = [...parts];
  while (shown.join("  ").length > width - 2 && shown.length > 2) {
    shown.splice(shown.length > 4 ? 3 : 1, 1);
  }
  return [
    piece(` ${shown[0] ?? ""}`, "strong"),
    piece(
      shown
        .slice(1)
        .map((part) => `  ${part}`)
        .join(""),
    ),
  ];
}
