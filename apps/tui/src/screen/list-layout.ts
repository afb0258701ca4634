import { cellFacts, COLUMNS, type CellFacts } from "../output/columns.js";
import { layOut, type LaidColumn } from "../output/layout.js";
import { columnsFor } from "../picker/shown-columns.js";
import { hasSidePane, SIDE_PANE_WIDTH, type PickerState } from "../picker/state.js";

/** Columns before each row: the pointer, and the mark of what is not available. */
export const POINTER_WIDTH = 2;

/** The arrangement of a list and what its cells need. */
export interface ListLayout {
  laid: readonly LaidColumn[];
  facts: CellFacts;
}

let last: { key: readonly unknown[]; layout: ListLayout } | undefined;

/**
 * Arrangement for all offers that are here, so that neither filtering nor scrolling moves a column. It is remembered:
 * measuring thousands of offers for every key would be felt.
 */
export function listLayout(state: PickerState): ListLayout {
  const { held, query, credit, images, hiddenColumns } = state;
  const width = listWidth(state) - POINTER_WIDTH;
  const key = [
    held.offers,
    query.sort,
    query.filter.diskGb,
    query.filter.maxTotalHourly,
    credit?.balance,
    images,
    hiddenColumns,
    width,
  ];
  if (last === undefined || key.some((value, index) => value !== last?.key[index])) {
    last = { key, layout: measure(state, width) };
  }
  return last.layout;
}

/** Columns that the list has, a space away from a side pane where there is one. */
export function listWidth(state: PickerState): number {
  return hasSidePane(state) ? state.columns - SIDE_PANE_WIDTH - 1 : state.columns;
}

function measure({ held, query, credit, images, hiddenColumns }: PickerState, width: number): ListLayout {
  const imageCounts = new Map(
    [...images].flatMap(([provider, known]) =>
      known.images === undefined ? [] : [[provider, known.images.length] as const],
    ),
  );
  const facts = cellFacts(held.offers, { diskGb: query.filter.diskGb, balance: credit?.balance, imageCounts });
  const columns = columnsFor(COLUMNS, query).filter(
    // Rows mark what is not available before the name; the column of it is for print.
    ({ id }) => !hiddenColumns.has(id) && id !== "available" && (id !== "runway" || credit?.balance !== undefined),
  );
  return { laid: layOut(columns, held.offers, facts, width), facts };
}
