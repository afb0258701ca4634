import type { Balance, Offer } from "@gpu-offers/domain";
import { cellFacts, SCREEN_COLUMNS, type CellFacts, type ColumnId } from "../output/columns.js";
import { layOut, type LaidColumn } from "../output/layout.js";
import { memoizeLast } from "../query/memoize.js";
import { columnsFor, wantsTotal } from "../output/shown-columns.js";
import { hasSidePane, SIDE_PANE_WIDTH, type PickerState } from "../picker/state.js";

/** Columns before each row: the pointer, and the mark of what is not available. */
export const POINTER_WIDTH = 2;

/** The arrangement of a list and what its cells need. */
export interface ListLayout {
  laid: readonly LaidColumn[];
  facts: CellFacts;
}

/** Arrangement for all offers that are here, so that neither filtering nor scrolling moves a column. */
export function listLayout(state: PickerState): ListLayout {
  const { held, query, credit, images, hiddenColumns } = state;
  const width = listWidth(state) - POINTER_WIDTH;
  const { diskGb } = query.filter;
  return withImages(measure(held.offers, wantsTotal(query), diskGb, credit?.balance, hiddenColumns, width), images);
}

/** Columns that the list has, a space away from a side pane where there is one. */
export function listWidth(state: PickerState): number {
  return hasSidePane(state) ? state.columns - SIDE_PANE_WIDTH - 1 : state.columns;
}

const measure = memoizeLast(
  (
    offers: readonly Offer[],
    withTotal: boolean,
    diskGb: number | undefined,
    balance: Balance | undefined,
    hiddenColumns: ReadonlySet<ColumnId>,
    width: number,
  ): ListLayout => {
    const facts = cellFacts(offers, { diskGb, balance });
    const columns = columnsFor(SCREEN_COLUMNS, withTotal).filter(
      ({ id }) => !hiddenColumns.has(id) && (id !== "runway" || balance !== undefined),
    );
    return { laid: layOut(columns, offers, facts, width), facts };
  },
);

/** Images come while one looks at the list. Their numbers are no wider than their heading: nothing is measured anew. */
const withImages = memoizeLast(({ laid, facts }: ListLayout, images: PickerState["images"]): ListLayout => {
  const imageCounts = new Map(
    [...images].flatMap(([provider, known]) =>
      known.images === undefined ? [] : [[provider, known.images.length] as const],
    ),
  );
  return { laid, facts: { ...facts, imageCounts } };
});
