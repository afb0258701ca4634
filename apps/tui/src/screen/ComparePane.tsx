import type { ReactElement } from "react";
import { comparisonOf } from "../picker/compare-pane.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { textLayout } from "../picker/text-pane.js";
import { clip, padded, row, withMore, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

/** Comparison of the marked offers: their names, which stay while the rest scrolls, then the facts, differences first. */
export function ComparePane({ state }: { state: PickerState }): ReactElement {
  const { top, length, height } = textLayout(state);
  const { heads, rows } = comparisonOf(state);
  const named = heads.map((text): Pieces => row(text, "strong"));
  const facts = rows.slice(top).map(({ kind, text }): Pieces => row(text, kind === "same" ? "muted" : "plain"));
  const shown = [...named, ...withMore(padded(facts, height), length - height - top, state.columns)];
  const all = padded(shown, bodyHeight(state));
  return <Rows rows={all.map((pieces) => clip(pieces, state.columns))} width={state.columns} />;
}
