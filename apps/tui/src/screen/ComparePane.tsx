import type { ReactElement } from "react";
import { comparedCount, compareRows } from "../picker/compare-pane.js";
import { textLayout } from "../picker/text-pane.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { clip, ends, padded, piece, row, type Pieces, type Role } from "./pieces.js";
import { Rows } from "./Row.js";

const ROLES = { offers: "strong", differs: "plain", same: "muted" } as const satisfies Record<string, Role>;

/** Comparison of the marked offers, differences first. */
export function ComparePane({ state }: { state: PickerState }): ReactElement {
  const height = bodyHeight(state);
  const { top, length } = textLayout(state);
  const rows = compareRows(state).map(({ kind, text }): Pieces => row(text, ROLES[kind]));
  const shown = padded(rows.slice(top), height);
  const hidden = state.marks.size - comparedCount(state);
  const more = length - height - top;
  const notes = [
    hidden > 0 ? `${hidden} more marked; widen the window to show them` : "",
    more > 0 ? `↓ ${more} more` : "",
  ].filter((note) => note !== "");
  const last = ends(shown.at(-1) ?? [], [piece(` ${notes.join("   ")} `, "accent")], state.columns);
  const all = notes.length === 0 ? shown : [...shown.slice(0, -1), last];
  return <Rows rows={all.map((pieces) => clip(pieces, state.columns))} width={state.columns} />;
}
