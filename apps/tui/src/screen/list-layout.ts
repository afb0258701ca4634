import type { Balance, ListingQuery } from "@gpu-offers/domain";
import { isTotalAtLeast, cellFacts, SCREEN_COLUMNS, type CellFacts, type ColumnId } from "@gpu-offers/list";
import { useMemo } from "react";
import { layOut, type SizedColumn, columnsFor, wantsTotal } from "../output/layout.js";
import { knownImages } from "../picker/image-list.js";
import type { OfferView } from "../picker/offer-view.js";
import type { PickerState } from "../picker/state.js";

/** Columns before each row: cursor, mark, availability. */
const POINTER_WIDTH = 3;

/** The layout of a list, and the context of its cells. */
export interface ListLayout {
  sized: readonly SizedColumn[];
  widths: ReadonlyMap<ColumnId, number>;
  facts: CellFacts;
  /** Whether some prices are lower bounds. */
  hasLowerBounds: boolean;
}

/** What a layout depends on. */
interface LayoutInput {
  view: OfferView;
  query: ListingQuery;
  funds: Balance | undefined;
  images: PickerState["images"];
  hiddenColumns: ReadonlySet<ColumnId>;
  /** Width of the list. */
  width: number;
  /** Number of its rows on the screen. */
  height: number;
}

/** Layout for the rows on the screen: names elsewhere take no room. */
export function useListLayout(input: LayoutInput): ListLayout {
  const { view, query, funds, images, hiddenColumns, width, height } = input;
  const { offers, rows, top } = view;
  const { disk: diskGb } = query;
  const withTotal = wantsTotal(query);
  const { sort_by: sort } = query;
  // Prices have the decimals of the whole result.
  const known = useMemo(() => cellFacts(offers, { diskGb, balance: funds }), [offers, diskGb, funds]);
  const hasLowerBounds = useMemo(() => offers.some((offer) => isTotalAtLeast(offer, diskGb)), [offers, diskGb]);
  const sized = useMemo(() => {
    const shown = SCREEN_COLUMNS.filter(({ id }) => !hiddenColumns.has(id));
    const near = rows.slice(top, top + height).map(({ offer }) => offer);
    const options = { facts: known, width: width - POINTER_WIDTH - 1, sort };
    return layOut(columnsFor(shown, withTotal, sort), near, options);
  }, [rows, top, height, known, hiddenColumns, withTotal, sort, width]);
  // Images arrive later. Their numbers are no wider than the heading, so widths needn't be computed again.
  return useMemo(() => {
    const imageCounts = new Map([...knownImages(images)].map(([provider, all]) => [provider, all.length] as const));
    const widths = new Map(sized.map((column) => [column.column.id, column.width]));
    return { sized, widths, hasLowerBounds, facts: { ...known, imageCounts } };
  }, [known, sized, hasLowerBounds, images]);
}
