import type { Balance, Offer } from "@gpu-offers/domain";
import {
  cellFacts,
  memoizeLast,
  SCREEN_COLUMNS,
  type CellFacts,
  type ColumnId,
  type OfferRow,
  type SortBy,
} from "@gpu-offers/list";
import { layOut, type SizedColumn } from "../output/layout.js";
import { columnsFor, wantsTotal } from "../output/shown-columns.js";
import { knownImages } from "../picker/provider-images.js";
import { fundsOf, listHeight, paneWidths, type PickerState } from "../picker/state.js";

/** Columns before each row: cursor, mark, availability. */
const POINTER_WIDTH = 3;

/** The layout of a list, and the context of its cells. */
export interface ListLayout {
  sized: readonly SizedColumn[];
  facts: CellFacts;
  /** Whether some prices are lower bounds. */
  hasLowerBounds: boolean;
}

/** Screens of rows that are laid out together, so that columns seldom move while scrolling. */
const SCREENS = 4;

/** Layout for the rows around the screen: names far away don't take room from its columns. */
export function listLayout(state: PickerState): ListLayout {
  const { view, query, images, hiddenColumns } = state;
  const width = paneWidths(state).list - POINTER_WIDTH - 1;
  const { diskGb } = query.filter;
  const height = listHeight(state);
  const near = nearOffers(view.rows, Math.floor(view.top / (height * SCREENS)), height);
  const withTotal = wantsTotal(query);
  const known = knownFacts(view.offers, diskGb, fundsOf(state));
  const sized = measure(near, known.facts, withTotal, hiddenColumns, width, query.sort);
  return withImages(known, sized, images);
}

/** The offers of a block of screens, and of the screen after it. */
const nearOffers = memoizeLast((rows: readonly OfferRow[], block: number, height: number): readonly Offer[] => {
  const start = block * height * SCREENS;
  return rows.slice(start, start + height * (SCREENS + 1)).map(({ offer }) => offer);
});

/** Prices have the decimals of the whole result. */
const knownFacts = memoizeLast(
  (offers: readonly Offer[], diskGb: number | undefined, balance: Balance | undefined) => ({
    facts: cellFacts(offers, { diskGb, balance }),
    hasLowerBounds: offers.some(({ costDataComplete }) => !costDataComplete),
  }),
);

const measure = memoizeLast(
  (
    offers: readonly Offer[],
    facts: CellFacts,
    withTotal: boolean,
    hiddenColumns: ReadonlySet<ColumnId>,
    width: number,
    sort: SortBy,
  ): readonly SizedColumn[] => {
    const columns = columnsFor(
      SCREEN_COLUMNS.filter(({ id }) => !hiddenColumns.has(id)),
      withTotal,
      sort,
    );
    return layOut(columns, offers, { facts, width, sort });
  },
);

/** Images arrive later. Their numbers are no wider than the heading, so widths needn't be recomputed. */
const withImages = memoizeLast(
  (known: Omit<ListLayout, "sized">, sized: readonly SizedColumn[], images: PickerState["images"]): ListLayout => {
    const imageCounts = new Map([...knownImages(images)].map(([provider, all]) => [provider, all.length] as const));
    return { ...known, sized, facts: { ...known.facts, imageCounts } };
  },
);
