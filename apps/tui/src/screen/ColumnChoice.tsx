import { HIDEABLE_COLUMNS, SCREEN_COLUMNS } from "@gpu-offers/list";
import type { ReactElement } from "react";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { around, BLANK, clip, padded, piece, row, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

/** The column chooser. */
export function ColumnChoice({ state }: { state: PickerState }): ReactElement {
  const { columnCursor, hiddenColumns, query, columns: width } = state;
  const height = bodyHeight(state);
  const choices = SCREEN_COLUMNS.map(({ id, title }, index): Pieces => {
    const isCurrent = index === columnCursor;
    const mark = !HIDEABLE_COLUMNS.includes(id) ? "always" : hiddenColumns.has(id) ? "[ ]   " : "[x]   ";
    return [
      piece(isCurrent ? " ❯ " : "   ", "accent"),
      piece(`${mark} ${title(query.filter.diskGb)}`, isCurrent ? "strong" : "plain"),
    ];
  });
  const rows = [
    row(" Columns   empty columns, and those that don't fit, are always hidden", "muted"),
    BLANK,
    ...around(choices, columnCursor, height - 2),
  ];
  return <Rows rows={padded(rows, height).map((pieces) => clip(pieces, width))} width={width} />;
}
