import type { Account, Balance, Offer, OsImage, PriceHistory } from "@gpu-offers/domain";
import type { ColumnId } from "../output/columns.js";
import type { Choice } from "./choice.js";
import type { Problem } from "../catalog/problem.js";
import { nothingHeld, type HeldOffers } from "./held-offers.js";
import type { Context } from "./keys.js";
import { EMPTY_VIEW, type OfferView } from "./offer-view.js";
import { memoizeLast } from "../query/memoize.js";
import { serverFilter, type Query } from "../query/query.js";
import { fieldOf, type TextField } from "./text-field.js";

/** What lies over the list. */
export type Pane = "none" | "text" | "facets" | "columns" | "details" | "account" | "compare" | "help";

/** What is known of a provider's images. */
export interface ProviderImages {
  /** The last list that came; undefined while none did. */
  images: readonly OsImage[] | undefined;
  /** Why the last reading brought none. */
  problem: Problem | undefined;
  /** When the last reading ended, in milliseconds since 1970; undefined while none did. */
  asOfMs: number | undefined;
  /** When the reading that is under way began; undefined where none is. */
  readingSinceMs: number | undefined;
}

/** Account and credit, as far as they are known. */
export interface Credit {
  account?: Account | undefined;
  balance?: Balance | undefined;
  problem?: Problem | undefined;
}

/** All that the picker knows. Views draw it and nothing else; {@link reduce} alone changes it. */
export interface PickerState {
  columns: number;
  rows: number;
  /** Time in milliseconds since 1970, as of the last event that told it. */
  nowMs: number;
  /** Address or file that offers come from. */
  place: string;
  /** Options of the command line that name it. */
  sourceOptions: string;
  query: Query;
  held: HeldOffers;
  view: OfferView;
  pane: Pane;
  /** Pane that comes back when help is closed. */
  paneUnderHelp: Pane;
  /** First line on the screen of a pane that is longer than it. */
  paneTop: number;
  /** Words of the filter field. */
  field: TextField;
  facetCursor: number;
  /** What is being typed into the number facet under the cursor. */
  facetDraft: string | undefined;
  /** What is typed to find a value in the facets. */
  facetSearch: string;
  columnCursor: number;
  hiddenColumns: ReadonlySet<ColumnId>;
  /** Panes beside the list that were closed. */
  closedPanes: ReadonlySet<SidePane>;
  /** Offers that are marked, by their id, as they were when they were marked; they survive filter and order. */
  marks: ReadonlyMap<string, Offer>;
  /** Filters that were kept before, the latest one first. */
  history: readonly string[];
  /** The one of {@link history} that is in the field. */
  historyPlace: number | undefined;
  choice: Choice | undefined;
  /** What is known of the images of providers, by the provider's name. */
  images: ReadonlyMap<string, ProviderImages>;
  /** Price histories by the id of the offer; undefined while one is read, or where there is none. */
  histories: ReadonlyMap<string, PriceHistory | undefined>;
  /** Image that was asked for on the command line: the step for it is passed over where the provider has it. */
  wantedImageId: string | undefined;
  /** Undefined when no key was given: there is no account to show. */
  credit: Credit | undefined;
  /** A word about the last key, until the next one. */
  notice: string | undefined;
}

/** What a picker starts with. */
export interface Start {
  columns: number;
  rows: number;
  nowMs: number;
  place: string;
  sourceOptions: string;
  query: Query;
  hasAccount: boolean;
  wantedImageId?: string | undefined;
  hiddenColumns?: ReadonlySet<ColumnId>;
  history?: readonly string[] | undefined;
}

/** The state before anything has happened. */
export function initialState(start: Start): PickerState {
  const { columns, rows, nowMs, place, sourceOptions, query, hasAccount, wantedImageId, hiddenColumns, history } =
    start;
  return {
    columns,
    rows,
    nowMs,
    place,
    sourceOptions,
    query,
    held: nothingHeld(serverFilter(query.filter), nowMs),
    view: EMPTY_VIEW,
    pane: "none",
    paneUnderHelp: "none",
    paneTop: 0,
    field: fieldOf(query.filter.search?.text ?? ""),
    facetCursor: 0,
    facetDraft: undefined,
    facetSearch: "",
    columnCursor: 0,
    hiddenColumns: hiddenColumns ?? new Set(),
    closedPanes: new Set(),
    marks: new Map(),
    history: history ?? [],
    historyPlace: undefined,
    choice: undefined,
    images: new Map(),
    histories: new Map(),
    wantedImageId,
    credit: hasAccount ? {} : undefined,
    notice: undefined,
  };
}

/** A wait is shown after so many milliseconds: what is shorter would only flicker. */
const WAIT_SHOWN_AFTER_MS = 400;

/** Whether a wait that began at `sinceMs` is long enough to be shown. */
export function isSlow({ nowMs }: Pick<PickerState, "nowMs">, sinceMs: number): boolean {
  return nowMs - sinceMs >= WAIT_SHOWN_AFTER_MS;
}

/** Whether something is awaited that is shown once it is slow, or counted down, so that time has to go on quickly. */
export function isWaiting({ held: { load }, choice, images }: PickerState): boolean {
  const reading = choice?.stage === "image" ? images.get(choice.offer.provider.name)?.readingSinceMs : undefined;
  const isCountedDown = load.kind === "failed" && load.retryAtMs !== undefined;
  return load.kind === "loading" || isCountedDown || choice?.check.kind === "checking" || reading !== undefined;
}

/** Money to compute runways with: the account's balance, or a budget that was given instead. */
export function fundsOf({ credit, query }: Pick<PickerState, "credit" | "query">): Balance | undefined {
  return credit?.balance ?? budgetOf(query.filter.budget?.usd);
}

const budgetOf = memoizeLast((usd: number | undefined): Balance | undefined =>
  usd === undefined ? undefined : { balance: usd.toFixed(4), currency: "USD" },
);

/** From this height on, the offer under the cursor has two lines below the list. */
const TALL_ROWS = 20;

/** Lines of the summary below the list. */
export function summaryHeight({ rows }: Pick<PickerState, "rows">): number {
  return rows >= TALL_ROWS ? 2 : 1;
}

/** Lines around the rows of the list beside the summary: header, filters, headings; position, rule, footer. */
const CHROME_LINES = 6;

/** Rows of the list that fit on the screen. */
export function listHeight(state: Pick<PickerState, "rows">): number {
  return Math.max(1, state.rows - CHROME_LINES - summaryHeight(state));
}

/** Lines between the filters and the rule: the list with its headings and its position, or what covers it. */
export function bodyHeight(state: Pick<PickerState, "rows">): number {
  return listHeight(state) + 2;
}

/** Below this the screen holds one line that says so. */
export const MINIMUM_COLUMNS = 40;
/** See {@link MINIMUM_COLUMNS}. */
export const MINIMUM_ROWS = 10;

/** What may stand beside the list. */
export type SidePane = "facets" | "details";

const TWO_PANES_FROM = 100;
const THREE_PANES_FROM = 140;
const FACETS_WIDTH = 30;
const DETAILS_WIDTH = 38;

/** Columns of the list and of what stands beside it, borders included; 0 for what does not. */
export interface PaneWidths {
  facets: number;
  list: number;
  details: number;
}

/** How the width of the screen is shared: two panes from 100 columns, three from 140. */
export function paneWidths(state: Pick<PickerState, "columns" | "pane" | "closedPanes">): PaneWidths {
  const { columns, pane, closedPanes } = state;
  const hasThree = columns >= THREE_PANES_FROM;
  const hasFacets = columns >= TWO_PANES_FROM && (pane === "facets" || (hasThree && !closedPanes.has("facets")));
  const hasDetails = columns >= TWO_PANES_FROM && !closedPanes.has("details") && (hasThree || !hasFacets);
  const facets = hasFacets ? FACETS_WIDTH : 0;
  const details = hasDetails ? DETAILS_WIDTH : 0;
  return { facets, list: columns - facets - details, details };
}

/** Where keys go. */
export function contextOf({ pane, choice }: Pick<PickerState, "pane" | "choice">): Context {
  if (pane !== "none") {
    return pane;
  }
  switch (choice?.stage) {
    case "image":
      return "images";
    case "disk":
      return "disk";
    case "confirm":
      return "confirm";
    case "offer":
    case undefined:
      return "list";
  }
}
