import type { ReactElement } from "react";
import type { PickerState } from "../picker/state.js";
import { filterChips } from "../query/filter-words.js";
import { ends, fieldPieces, piece, piecesWidth } from "./pieces.js";
import { Row } from "./Row.js";

/** Placeholder if there are no filters. */
const INVITATION = "/ to filter, such as 8xh100 eu 80g+ <2.50   f facets";

/** The filter field, and the other filters to its right. */
export function FilterLine({ state }: { state: PickerState }): ReactElement {
  const { field, pane, query, columns } = state;
  const isTyped = pane === "text";
  const chips = filterChips(query.filter).join("  ");
  if (!isTyped && chips === "" && field.text === "") {
    return <Row pieces={ends([piece(` ${INVITATION}`, "muted")], [], columns)} />;
  }
  const shown = isTyped ? fieldPieces(field.text, field.cursor) : [piece(field.text, "strong")];
  const left = [piece(" / ", isTyped ? "accent" : "muted"), ...shown, piece("  ")];
  const clear = isTyped ? "" : "  (x clear all)";
  // Filters take precedence over the hint, which is also in the help.
  const hasRoom = piecesWidth(left) + chips.length + clear.length < columns;
  const right = [piece(chips, "accent"), piece(hasRoom ? clear : "", "muted"), piece(" ")];
  return <Row pieces={ends(left, right, columns)} />;
}
