import type { ReactElement } from "react";
import { compareRows } from "../picker/compare-pane.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { clip, padded, piece, row, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

/** The marked offers side by side: first what differs, then what is the same. */
export function ComparePane({ state }: { state: PickerState }): ReactElement {
  const height = bodyHeight(state);
  const all = compareRows(state).map(({ name, cells, role }): Pieces => [
    piece(` ${name} `, "muted"),
    piece(cells.join("  "), role),
  ]);
  const top = Math.max(0, Math.min(state.paneTop, all.length - height));
  const rows = [row(` Compare ${state.marks.size} offers`, "strong"), ...all.slice(top)];
  return <Rows rows={padded(rows, height).map((pieces) => clip(pieces, state.columns))} width={state.columns} />;
}
