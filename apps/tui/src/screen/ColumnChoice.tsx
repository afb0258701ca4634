import { HIDEABLE_COLUMNS, SCREEN_COLUMNS, type ColumnId } from "@gpu-offers/list";
import type { ReactElement } from "react";
import { around, BLANK, piece, row, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

interface ColumnChoiceProps {
  /** Index of the column under the cursor. */
  cursor: number;
  hidden: ReadonlySet<ColumnId>;
  diskGb: number | undefined;
  width: number;
  height: number;
}

/** The column chooser. */
export function ColumnChoice({ cursor, hidden, diskGb, width, height }: ColumnChoiceProps): ReactElement {
  const choices = SCREEN_COLUMNS.map(({ id, title }, index): Pieces => {
    const isCurrent = index === cursor;
    const mark = !HIDEABLE_COLUMNS.includes(id) ? "always" : hidden.has(id) ? "[ ]   " : "[x]   ";
    return [
      piece(isCurrent ? " ❯ " : "   ", "accent"),
      piece(`${mark} ${title(diskGb)}`, isCurrent ? "strong" : "plain"),
    ];
  });
  const rows = [
    row(" Columns   empty columns, and those that don't fit, are always hidden", "muted"),
    BLANK,
    ...around(choices, cursor, height - 2),
  ];
  return <Rows rows={rows} width={width} height={height} />;
}
