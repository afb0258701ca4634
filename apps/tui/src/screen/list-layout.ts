import type { Balance, ListedOffer, ListingQuery } from "@gpu-offers/domain";
import {
  isTotalAtLeast,
  cellFacts,
  memoizeLast,
  SCREEN_COLUMNS,
  type CellFacts,
  type ColumnId,
} from "@gpu-offers/list";
import { layOut, type OfferRow, type SizedColumn, columnsFor, wantsTotal } from "../output/layout.js";
import { knownImages, type ImageLists } from "../picker/image-list.js";
import { fundsIn, listHeight, paneWidths, type PickerState } from "../picker/state.js";

/** Columns before each row: cursor, mark, availability. */
const POINTER_WIDTH = 3;

/** The layout of a list, and the context of its cells. */
export interface ListLayout {
  sized: readonly SizedColumn[];
  facts: CellFacts;
  /** Whether some prices are lower bounds. */
  hasLowerBounds: boolean;
}

/** Layout for the rows on the screen: names elsewhere take no room. */
export function listLayout(state: PickerState): ListLayout {
  const { view, found, images, hiddenColumns } = state;
  const { facts, hasLowerBounds } = priceFacts(view.offers, found.query.disk, fundsIn(state));
  const { list: width } = paneWidths(state);
  const sized = sizedColumns(view.rows, view.top, listHeight(state), width, facts, hiddenColumns, found.query);
  // Images arrive later. Their numbers are no wider than the heading, so widths needn't be computed again.
  return { sized, hasLowerBounds, facts: { ...facts, imageCounts: imageCounts(images) } };
}

/** Prices have the decimals of the whole result. */
const priceFacts = memoizeLast(
  (offers: readonly ListedOffer[], diskGb: number | undefined, balance: Balance | undefined) => ({
    facts: cellFacts(offers, { diskGb, balance }),
    hasLowerBounds: offers.some((offer) => isTotalAtLeast(offer, diskGb)),
  }),
);

const sizedColumns = memoizeLast(
  (
    rows: readonly OfferRow[],
    top: number,
    height: number,
    width: number,
    facts: CellFacts,
    hidden: ReadonlySet<ColumnId>,
    query: ListingQuery,
  ) => {
    const shown = SCREEN_COLUMNS.filter(({ id }) => !hidden.has(id));
    const near = rows.slice(top, top + height).map(({ offer }) => offer);
    const options = { facts, width: width - POINTER_WIDTH - 1, sort: query.sort_by };
    return layOut(columnsFor(shown, wantsTotal(query), query.sort_by), near, options);
  },
);

const imageCounts = memoizeLast(
  (images: ImageLists) =>
    new Map([...knownImages(images)].map(([provider, { length }]) => [provider, length] as const)),
);
