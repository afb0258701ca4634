import type { ReactElement } from "react";
import type { Comparison } from "../picker/compare-pane.js";
import { padded, row, withMore, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

interface ComparePaneProps {
  comparison: Comparison;
  /** First visible fact. */
  top: number;
  width: number;
  height: number;
}

/** Comparison of the marked offers: their names, which stay while the rest scrolls, then the facts, differences first. */
export function ComparePane({ comparison: { heads, rows }, top, width, height }: ComparePaneProps): ReactElement {
  const room = height - heads.length;
  const facts = rows.slice(top).map(({ kind, text }): Pieces => row(text, kind === "same" ? "muted" : "plain"));
  const shown = withMore(padded(facts, room), rows.length - room - top, width);
  const all = [...heads.map((text) => row(text, "strong")), ...shown];
  return <Rows rows={all} width={width} height={height} />;
}
