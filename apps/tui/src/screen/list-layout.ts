import type { Balance, Offer } from "@gpu-offers/domain";
import { cellFacts, type CellFacts, type ColumnId, memoizeLast, SCREEN_COLUMNS, type SortBy } from "@gpu-offers/list";
import { layOut, type SizedColumn } from "../output/layout.js";
import { columnsFor, wantsTotal } from "../output/shown-columns.js";
import { knownImages } from "../picker/provider-images.js";
import { fundsOf, paneWidths, type PickerState } from "../picker/state.js";

/** Columns before each row: cursor, mark, availability. */
const POINTER_WIDTH = 3;

/** The layout of a list, and the context of its cells. */
export interface ListLayout {
  sized: readonly SizedColumn[];
  facts: CellFacts;
  /** Whether some prices are lower bounds. */
  hasLowerBounds: boolean;
}

/** Layout for all matching offers, so that columns don't move while scrolling. */
export function listLayout(state: PickerState): ListLayout {
  const { view, query, images, hiddenColumns } = state;
  const width = paneWidths(state).list - POINTER_WIDTH - 1;
  const { diskGb } = query.filter;
  const withTotal = wantsTotal(query);
  const sized = measure(view.offers, withTotal, diskGb, fundsOf(state), hiddenColumns, width, query.sort);
  return withImages(sized, images);
}

const measure = memoizeLast(
  (
    offers: readonly Offer[],
    withTotal: boolean,
    diskGb: number | undefined,
    balance: Balance | undefined,
    hiddenColumns: ReadonlySet<ColumnId>,
    width: number,
    sort: SortBy,
  ): ListLayout => {
    const facts = cellFacts(offers, { diskGb, balance });
    const hasLowerBounds = offers.some(({ costDataComplete }) => !costDataComplete);
    const columns = columnsFor(SCREEN_COLUMNS, withTotal, sort).filter(({ id }) => !hiddenColumns.has(id));
    return { sized: layOut(columns, offers, { facts, width, sort }), facts, hasLowerBounds };
  },
);

/** Images arrive later. Their numbers are no wider than the heading, so widths needn't be recomputed. */
const withImages = memoizeLast((layout: ListLayout, images: PickerState["images"]): ListLayout => {
  const imageCounts = new Map([...knownImages(images)].map(([provider, known]) => [provider, known.length] as const));
  return { ...layout, facts: { ...layout.facts, imageCounts } };
});
