import {
  defaultFilter,
  type Balance,
  type ListedOffer,
  type ListingQuery,
  type NearSearch,
  type PriceHistory,
  type SearchOptions,
} from "@gpu-offers/domain";
import type { LaunchKind } from "@gpu-offers/domain/launching";
import { HIDDEN_AT_FIRST, memoizeLast, type ColumnId } from "@gpu-offers/list";
import { budgetBalance } from "../catalog/read-source.js";
import type { Choice } from "./choice.js";
import type { Command, PickerEvent } from "./event.js";
import { findOffers, type Found } from "./found.js";
import { imageListOf, loadedImages, type ImageLists } from "./image-list.js";
import { SLOW_AFTER_MS, type OfferSource, type SourceProgress } from "../catalog/offer-source.js";
import { loadedSoFar, nothingLoaded, type LoadedOffers } from "./loaded-offers.js";
import type { Context } from "./keys.js";
import { emptyView, type OfferView } from "./offer-view.js";
import type { PickRequest } from "./pick-request.js";
import { fieldOf, type TextField } from "./text-field.js";

export type Pane = "none" | Exclude<Context, "list" | "images" | "disk" | "confirm">;

/** State of the picker. Views only render it; only {@link reduce} changes it. */
export interface PickerState {
  columns: number;
  rows: number;
  /** Time in milliseconds since 1970, as of the last event with a time. */
  nowMs: number;
  /** URL or file of the source. */
  place: string;
  /** Options of the command line that name it. */
  sourceOptions: string;
  /** Live prices without a server, with the progress by source while they are fetched; undefined if a server or a file has its own. */
  live: { progress: ReadonlyMap<string, SourceProgress> | undefined } | undefined;
  /** The query as given: flags, typed words and facets, by parameters. */
  query: ListingQuery;
  /** How its words are read: where the cursor was when they were typed. */
  reading: SearchOptions;
  /** What it shows of the loaded offers. */
  found: Found;
  loaded: LoadedOffers;
  view: OfferView;
  pane: Pane;
  /** Pane to return to when help is closed, and its first visible line. */
  underHelp: Pick<PickerState, "pane" | "paneTop">;
  /** First visible line of a scrolled pane. */
  paneTop: number;
  field: TextField;
  facetCursor: number;
  /** Input of the number facet under the cursor. */
  facetDraft: string | undefined;
  facetSearch: string;
  columnCursor: number;
  /** Index of the piece of the words under the cursor. */
  readingCursor: number;
  hiddenColumns: ReadonlySet<ColumnId>;
  closedPanes: ReadonlySet<SidePane>;
  /** Marked offers by id, as of when they were marked. Marks survive changes of filter and order. */
  marks: ReadonlyMap<string, ListedOffer>;
  /** Index of the compared offer under the cursor. */
  compareCursor: number;
  /** Similar texts, for a query without matches. */
  near: { found: Found; texts: readonly NearSearch[] } | undefined;
  /** Saved filters, latest first. */
  history: readonly string[];
  /** The typed text and the number of earlier filters recalled since; undefined if the typed text is in the field. */
  recalled: { typed: string; count: number } | undefined;
  choice: Choice | undefined;
  /** The kind of launch text that was chosen last. */
  launchKind: LaunchKind | undefined;
  /** Number of rechecks so far. */
  checkCount: number;
  images: ImageLists;
  /** Price histories by offer id; undefined while loading, or if there is none. */
  histories: ReadonlyMap<string, PriceHistory | undefined>;
  /** Image requested on the command line; the image step is skipped if the provider has it. */
  wantedImageId: string | undefined;
  /** Account and credit, as far as loaded; undefined without an API key. */
  credit: Omit<PickerEvent & { kind: "credit" }, "kind"> | undefined;
  /** Message about the last key, shown until the next one. */
  notice: string | undefined;
  /** Side effects of the last event, which the session performs. */
  commands: readonly Command[];
}

export interface Start
  extends
    Pick<PickRequest, "query" | "images" | "imageId" | "hiddenColumns" | "filters" | "launchKind">,
    Pick<PickerState, "columns" | "rows" | "nowMs"> {
  source: Pick<OfferSource, "place" | "options" | "hasAccount" | "live">;
}

export function initialState(start: Start): PickerState {
  const { source, columns, rows, nowMs, query, images = new Map(), filters: history = [], launchKind } = start;
  const loaded = nothingLoaded(images, nowMs);
  // On the screen, a slip is replaced by the nearest name.
  const reading = { takesSlips: true };
  return {
    columns,
    rows,
    nowMs,
    place: source.place,
    sourceOptions: source.options,
    live: source.live === undefined ? undefined : { progress: undefined },
    query,
    reading,
    found: findOffers(loaded.catalog, query, reading),
    loaded,
    view: emptyView(),
    pane: "none",
    underHelp: { pane: "none", paneTop: 0 },
    paneTop: 0,
    field: fieldOf(query.q ?? ""),
    facetCursor: 0,
    facetDraft: undefined,
    facetSearch: "",
    columnCursor: 0,
    readingCursor: 0,
    hiddenColumns: new Set(start.hiddenColumns ?? HIDDEN_AT_FIRST),
    closedPanes: new Set(),
    marks: new Map(),
    compareCursor: 0,
    near: undefined,
    history,
    recalled: undefined,
    choice: undefined,
    launchKind,
    checkCount: 0,
    images: new Map([...images].map(([name, list]) => [name, { images: list, asOfMs: nowMs }])),
    histories: new Map(),
    wantedImageId: start.imageId,
    credit: source.hasAccount ? {} : undefined,
    notice: undefined,
    commands: [],
  };
}

/** The state, with side effects to perform. */
export function withCommands(state: PickerState, ...commands: readonly Command[]): PickerState {
  return { ...state, commands: [...state.commands, ...commands] };
}

export function copied(state: PickerState, text: string, notice: string): PickerState {
  return withCommands({ ...state, notice }, { kind: "copy", text });
}

/** Milliseconds after which a wait is shown; shorter ones would flicker. */
const WAIT_SHOWN_AFTER_MS = 400;

/** Whether a wait that began at `sinceMs` is long enough to be shown. */
export function isSlow(nowMs: number, sinceMs: number): boolean {
  return nowMs - sinceMs >= WAIT_SHOWN_AFTER_MS;
}

/** Whether a wait that began at `sinceMs` is so long that its seconds are shown. */
export function isSilent(nowMs: number, sinceMs: number): boolean {
  return nowMs - sinceMs >= SLOW_AFTER_MS;
}

/** Whether a slow wait or a countdown is shown, which needs frequent time events. */
export function isWaiting({ loaded: { load }, choice, images }: PickerState): boolean {
  const list = choice?.stage === "image" ? loadedImages(images, imageListOf(choice.offer)) : undefined;
  const isCountedDown = load.kind === "failed" && load.retryAtMs !== undefined;
  return (
    load.kind === "loading" || isCountedDown || choice?.check.kind === "checking" || list?.loadingSinceMs !== undefined
  );
}

/** Funds for runways: the budget, because it was typed, or else the account's balance. */
export function fundsIn({ credit, found: { query } }: Pick<PickerState, "credit" | "found">): Balance | undefined {
  return query.budget === undefined ? credit?.balance : budgetFunds(query.budget);
}

const budgetFunds = memoizeLast(budgetBalance);

export function openChoice({ choice }: Pick<PickerState, "choice">): Choice | undefined {
  return choice?.stage === "offer" ? undefined : choice;
}

const countWithDefaults = memoizeLast(({ index }: LoadedOffers["catalog"], query: ListingQuery) =>
  index.count({ filter: defaultFilter(query) }),
);

/** Number of offers that matches are part of: without those that defaults leave out. */
export function totalOf({ loaded, found }: Pick<PickerState, "loaded" | "found">): number {
  const { offers, total = offers.length } = loaded;
  const isWhole = loadedSoFar(loaded) === undefined;
  return isWhole ? countWithDefaults(loaded.catalog, found.query) : total;
}

/** Minimum screen height for a two-line summary. */
const TALL_ROWS = 20;

/** Lines of the reading of the words, above the list. */
export function readingHeight({ query }: Pick<PickerState, "query">): number {
  return query.q === undefined ? 0 : 1;
}

/** Height of the summary below the list. */
export function summaryHeight({ rows }: Pick<PickerState, "rows">): number {
  return rows >= TALL_ROWS ? 2 : 1;
}

/** Lines around the rows of the list without the reading and the summary: header, filters, headings, position, rule, footer. */
const CHROME_LINES = 6;

/** Number of list rows that fit on the screen. */
export function listHeight(state: Pick<PickerState, "rows" | "query">): number {
  return Math.max(1, state.rows - CHROME_LINES - readingHeight(state) - summaryHeight(state));
}

/** Lines between the filters and the rule: the list with headings and position, or an overlay. */
export function bodyHeight(state: Pick<PickerState, "rows" | "query">): number {
  return listHeight(state) + 2;
}

/** Minimum screen width; below it, a one-line message is shown. */
export const MINIMUM_COLUMNS = 40;
/** See {@link MINIMUM_COLUMNS}. */
export const MINIMUM_ROWS = 10;

/** Panes beside the list. */
export type SidePane = "facets" | "details";

const TWO_PANES_FROM = 100;
const THREE_PANES_FROM = 140;
const FACETS_WIDTH = 30;
const DETAILS_WIDTH = 38;

/** Whether the window is wide enough for panes beside the list. */
export function hasSidePanes({ columns }: Pick<PickerState, "columns">): boolean {
  return columns >= TWO_PANES_FROM;
}

/**
 * Splits the width of the screen: two panes from 100 columns, three from 140.
 * @returns the widths of the list and the panes beside it, including borders; 0 for hidden panes.
 */
export function paneWidths(state: Pick<PickerState, "columns" | "pane" | "closedPanes">) {
  const { columns, pane, closedPanes } = state;
  const hasThree = columns >= THREE_PANES_FROM;
  const hasFacets = hasSidePanes(state) && (pane === "facets" || (hasThree && !closedPanes.has("facets")));
  const hasDetails = hasSidePanes(state) && !closedPanes.has("details") && (hasThree || !hasFacets);
  const facets = hasFacets ? FACETS_WIDTH : 0;
  const details = hasDetails ? DETAILS_WIDTH : 0;
  return { facets, list: columns - facets - details, details };
}

/** Contexts of the steps. The first one is open while the list has the keys. */
const STEP_CONTEXTS = { offer: "list", image: "images", disk: "disk", confirm: "confirm" } as const;

/** The context that handles keys. */
export function contextOf({ pane, choice }: Pick<PickerState, "pane" | "choice">): Context {
  return pane === "none" ? STEP_CONTEXTS[choice?.stage ?? "offer"] : pane;
}
