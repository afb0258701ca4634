import type { ReactElement } from "react";
import {
  detailRows,
  detailsWidth,
  HELP_WIDTH,
  NAME_WIDTH,
  textLayout,
  textRows,
  type TextRow,
} from "../picker/text-pane.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { fit } from "../text/width.js";
import { BLANK, clip, ends, filled, padded, pair, piece, row, withMore, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

/** Details, account or help over the list. The last row says if there is more. */
export function TextPane({ state }: { state: PickerState }): ReactElement {
  const { columns, length, height, top } = textLayout(state);
  const cells = textRows(state).map(state.pane === "help" ? helpPieces : textPieces);
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
  const cells = detailRows(state, detailsWidth(state)).map(textPieces);
  const top = isFocused ? textLayout(state).top : 0;
  const rows = withMore(padded(cells.slice(top), height), cells.length - height - top, width - 2);
  const border = piece("│", isFocused ? "accent" : "muted");
  return <Rows rows={rows.map((pieces) => [border].concat(filled(pieces, width - 1)))} width={width} />;
}

function textPieces(line: TextRow): Pieces {
  switch (line.kind) {
    case "pair":
      return pair(line.name, line.value, NAME_WIDTH);
    case "title":
      return row(` ${line.text}`, "accent");
    case "note":
      return row(` ${line.text}`);
    case "warning":
      return row(` ${line.text}`, "warning");
  }
}

function helpPieces(line: TextRow): Pieces {
  return line.kind === "pair" ? [piece(`  ${fit(line.name, 12)} `, "strong"), piece(line.value)] : textPieces(line);
}
