import { step, type Step } from "./event.js";
import { actOnList } from "./list-actions.js";
import { moveTo, visibleLines } from "./offer-view.js";
import { actOnText } from "./pane-actions.js";
import { contextOf, listHeight, paneWidths, type PickerState } from "./state.js";

/** Lines above the rows of the list: header, filters, headings. */
const FIRST_ROW = 3;

/** Handles a click: on a row of the list it moves the cursor there, and on the row under the cursor it chooses. */
export function clicked(state: PickerState, { column, row }: { column: number; row: number }): Step {
  const context = contextOf(state);
  if (context !== "list" && context !== "text") {
    return step(state);
  }
  const { facets, list } = paneWidths(state);
  const height = listHeight(state);
  const line = visibleLines(state.view, height)[row - FIRST_ROW];
  if (line === undefined || typeof line === "string" || column < facets || column >= facets + list) {
    return step(state);
  }
  const inList = context === "text" ? actOnText(state, "keep", "Enter") : state;
  const index = inList.view.rows.indexOf(line);
  if (index === inList.view.cursor && context === "list") {
    return actOnList(inList, "pick", "Enter");
  }
  return step({ ...inList, view: moveTo(inList.view, index, height) });
}
