import { chipsOf, printable } from "@gpu-offers/list";
import type { ReactElement } from "react";
import type { PickerState } from "../picker/state.js";
import { ends, fieldWindow, piece, piecesWidth } from "../text/pieces.js";
import { textWidth, truncate } from "../text/width.js";
import { Row } from "./Row.js";

/** Placeholder if there are no filters. */
const INVITATION = "/ to filter, such as 8xh100 eu 80g+ <2.50   f facets";

/** Columns around the field and the other filters. */
const MARGIN = 6;

/** The filter field, and the other filters to its right. */
export function FilterLine({ state: { columns, field, pane, query } }: { state: PickerState }): ReactElement {
  const isTyped = pane === "text";
  const chips = chipsOf({ ...query, q: undefined })
    .map(({ text }) => text)
    .join("  ");
  if (!isTyped && chips === "" && field.text === "") {
    return <Row pieces={ends([piece(` ${INVITATION}`, "muted")], [], columns)} />;
  }
  // What is typed is always seen; otherwise the field leaves room for the other filters.
  const width = columns - MARGIN;
  const fieldWidth = isTyped ? width : Math.max(Math.floor(width / 2), width - textWidth(chips));
  const shown = isTyped
    ? fieldWindow(field.text, field.cursor, fieldWidth)
    : [piece(truncate(printable(field.text), fieldWidth), "strong")];
  const left = [piece(" / ", isTyped ? "accent" : "muted"), ...shown, piece("  ")];
  const room = columns - piecesWidth(left) - 1;
  const clear = isTyped ? "" : "  (x clear all)";
  // Filters take precedence over the hint, which is also in the help.
  const hasRoom = chips.length + clear.length <= room;
  const right = [piece(truncate(chips, room), "accent"), piece(hasRoom ? clear : "", "muted"), piece(" ")];
  return <Row pieces={ends(left, right, columns)} />;
}
