import type { ReactElement } from "react";
import {
  detailRows,
  detailsWidth,
  HELP_WIDTH,
  NAME_WIDTH,
  readingLayout,
  readingRows,
  type ReadingRow,
} from "../picker/reading-pane.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { fit } from "../text/width.js";
import { BLANK, clip, ends, filled, padded, pair, piece, row, withMore, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

/** Details, account or help over the list. The last row says if there is more. */
export function Reading({ state }: { state: PickerState }): ReactElement {
  const { columns, length, height, top } = readingLayout(state);
  const cells = readingRows(state).map(state.pane === "help" ? helpPieces : readingPieces);
  const width = columns === 1 ? state.columns : HELP_WIDTH;
  const shown = Array.from({ length: Math.min(length, height) }, (_, line): Pieces => {
    const parts = Array.from({ length: columns }, (__, column) => cells[column * length + top + line] ?? BLANK);
    return columns === 1 ? (parts[0] ?? BLANK) : parts.flatMap((part) => ends(part, BLANK, width));
  });
  const rows = withMore(shown, length - height - top, state.columns);
  return <Rows rows={padded(rows, height).map((pieces) => clip(pieces, state.columns))} width={state.columns} />;
}

/** Details to the right of the list. */
export function Details({ state, width }: { state: PickerState; width: number }): ReactElement {
  const isFocused = state.pane === "details";
  const height = bodyHeight(state);
  const cells = detailRows(state, detailsWidth(state)).map(readingPieces);
  const top = isFocused ? readingLayout(state).top : 0;
  const rows = withMore(padded(cells.slice(top), height), cells.length - height - top, width - 2);
  const border = piece("│", isFocused ? "accent" : "muted");
  return <Rows rows={rows.map((pieces) => [border].concat(filled(pieces, width - 1)))} width={width} />;
}

function readingPieces(reading: ReadingRow): Pieces {
  switch (reading.kind) {
    case "pair":
      return pair(reading.name, reading.value, NAME_WIDTH);
    case "title":
      return row(` ${reading.text}`, "accent");
    case "note":
      return row(` ${reading.text}`);
    case "warning":
      return row(` ${reading.text}`, "warning");
  }
}

function helpPieces(reading: ReadingRow): Pieces {
  return reading.kind === "pair"
    ? [piece(`  ${fit(reading.name, 12)} `, "strong"), piece(reading.value)]
    : readingPieces(reading);
}
