import type { ReactElement } from "react";
import { paneWidths, bodyHeight, type PickerState } from "../picker/state.js";
import { detailRows, HELP_WIDTH, paneContent, textLayout } from "../picker/text-pane.js";
import { BLANK, ends, filled, padded, piece, withMore, type Pieces } from "../text/pieces.js";
import { Rows } from "./Row.js";

/** A read-only pane over the list. What it begins with stays while the rest scrolls. The last row says if there is more. */
export function textPaneRows(state: PickerState): readonly Pieces[] {
  const { heads, rows } = paneContent(state);
  const { columns, length, height, top } = textLayout(state, { heads, rows });
  const shown = Array.from({ length: Math.min(length, height) }, (_, line): Pieces => {
    const cells = Array.from({ length: columns }, (__, column) => rows[column * length + top + line] ?? BLANK);
    return columns === 1 ? (cells[0] ?? BLANK) : cells.flatMap((cell) => ends(cell, BLANK, HELP_WIDTH));
  });
  return [...heads, ...withMore(shown, length - height - top, state.columns)];
}

/** Details to the right of the list. */
export function Details({ state }: { state: PickerState }): ReactElement {
  const { details: width } = paneWidths(state);
  const height = bodyHeight(state);
  const isFocused = state.pane === "details";
  const cells = detailRows(state);
  const top = isFocused ? textLayout(state, { heads: [], rows: cells }).top : 0;
  const rows = withMore(padded(cells.slice(top), height), cells.length - height - top, width - 2);
  const border = piece("│", isFocused ? "accent" : "muted");
  return <Rows rows={rows.map((pieces) => [border].concat(filled(pieces, width - 1)))} width={width} />;
}
