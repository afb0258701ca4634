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
import { summaryParts, summaryTexts, type SummaryPart } from "../output/offer-words.js";
import { chosenDisk } from "../picker/choice.js";
import { columnLines, facetLines, readingLines, sideLines } from "./pane-lines.js";
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
  const side = isList && hasSidePane(state) ? sidePane(state) : undefined;
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
    case "account":
    case "help":
      return readingLines(state);
    case "text":
      return listLines(state);
    case "none":
      return state.choice === undefined || state.choice.stage === "offer"
        ? listLines(state)
        : stepLines(state, state.choice);
  }
}

function sidePane(state: PickerState): Line[] {
  return padded(sideLines(state), listHeight(state) + 2).map((details) =>
    clip([piece("│", "muted"), ...details], SIDE_PANE_WIDTH),
  );
}

/** A rule, the offer that is meant, and the keys or a word about the last one. */
function bottomLines(state: PickerState): Line[] {
  const { columns, notice, choice, credit, view } = state;
  const offer = choice === undefined || choice.stage === "offer" ? currentOffer(view) : choice.offer;
  const parts = offer === undefined ? [] : summaryParts(offer, summaryDiskGb(state), credit?.balance);
  return [
    line("─".repeat(columns), "muted"),
    summaryLine(parts, columns),
    notice === undefined
      ? line(` ${footerText(contextOf(state), columns - 2)}`, "muted")
      : line(` ${notice}`, "accent"),
  ];
}

function summaryLine(parts: readonly SummaryPart[], width: number): Line {
  const [what = "", ...others] = summaryTexts(parts, width - 2, 2);
  return [piece(` ${what}`, "strong"), piece(others.map((part) => `  ${part}`).join(""))];
}

/** The disk that the summary is about: what is being typed, or what was asked for. */
function summaryDiskGb({ choice, query }: PickerState): number | undefined {
  const chosen = choice === undefined || choice.stage === "offer" ? undefined : chosenDisk(choice);
  return chosen === undefined || Number.isNaN(chosen) ? query.filter.diskGb : chosen;
}
