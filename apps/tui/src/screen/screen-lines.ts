import { checkDisk } from "@gpu-offers/domain";
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
import { clip, filled, line, piece, type Line } from "./line.js";
import { listLines, padded } from "./list-lines.js";
import { summaryParts, summaryTexts, type SummaryPart } from "../output/offer-words.js";
import { chosenDisk } from "../picker/choice.js";
import { columnLines, facetLines, readingLines, sideLines } from "./pane-lines.js";
import { stepLines } from "./step-lines.js";

/** Everything that is on the screen: exactly its rows, none of them wider than it. */
export function screenLines(state: PickerState): Line[] {
  const { columns, rows } = state;
  if (columns < LEAST_COLUMNS || rows < LEAST_ROWS) {
    const need = `needs ${LEAST_COLUMNS}x${LEAST_ROWS}`;
    const words = [`gpu-offers ${need}, this is ${columns}x${rows}`, `gpu-offers ${need}`].find(
      (text) => text.length <= columns,
    );
    return padded([clip(line(words ?? need), columns)], rows);
  }
  const body = padded(bodyLines(state), listHeight(state) + 2);
  const isList = contextOf(state) === "list" || state.pane === "text";
  return [
    headerLine(state),
    filterLine(state),
    ...(isList && hasSidePane(state) ? withSidePane(body, state) : body),
    ...bottomLines(state),
  ].map((row) => clip(row, columns));
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

/** The body with the details beside it. */
function withSidePane(body: readonly Line[], state: PickerState): Line[] {
  const details = sideLines(state);
  return body.map((row, index) => [
    ...filled(row, state.columns - SIDE_PANE_WIDTH),
    ...filled([piece("│", "muted"), ...(details[index] ?? [])], SIDE_PANE_WIDTH),
  ]);
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
  if (choice === undefined || choice.stage === "offer") {
    return query.filter.diskGb;
  }
  const check = checkDisk(choice.offer, chosenDisk(choice));
  return check.ok ? check.diskGb : query.filter.diskGb;
}
