import type { Account, Balance } from "@gpu-offers/domain";
import type { ColumnId } from "../output/columns.js";
import type { Choice } from "./choice.js";
import type { Fault } from "../catalog/fault.js";
import { nothingHeld, type HeldOffers } from "./held-offers.js";
import type { Context } from "./keys.js";
import { EMPTY_VIEW, type OfferView } from "./offer-view.js";
import type { ProviderImages } from "./provider-images.js";
import { serverFilter, type Query } from "../query/query.js";
import { fieldOf, type TextField } from "./text-field.js";

/** What lies over the list. */
export type Pane = "none" | "text" | "facets" | "columns" | "details" | "account" | "help";

/** Account and credit, as far as they are known. */
export interface Credit {
  account?: Account | undefined;
  balance?: Balance | undefined;
  fault?: Fault | undefined;
}

/** All that the picker knows. Views draw it and nothing else; {@link reduce} alone changes it. */
export interface PickerState {
  columns: number;
  rows: number;
  /** Time in milliseconds since 1970, as of the last event that told it. */
  nowMs: number;
  /** Address or file that offers come from. */
  place: string;
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
  columnCursor: number;
  hiddenColumns: ReadonlySet<ColumnId>;
  hidesSidePane: boolean;
  choice: Choice | undefined;
  /** What is known of the images of providers, by the provider's name. */
  images: ReadonlyMap<string, ProviderImages>;
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
  query: Query;
  hasAccount: boolean;
  wantedImageId?: string | undefined;
  hiddenColumns?: ReadonlySet<ColumnId>;
}

/** The state before anything has happened. */
export function initialState(start: Start): PickerState {
  const { columns, rows, nowMs, place, query, hasAccount, wantedImageId, hiddenColumns } = start;
  return {
    columns,
    rows,
    nowMs,
    place,
    query,
    held: nothingHeld(serverFilter(query.filter), nowMs),
    view: EMPTY_VIEW,
    pane: "none",
    paneUnderHelp: "none",
    paneTop: 0,
    field: fieldOf(query.filter.text ?? ""),
    facetCursor: 0,
    facetDraft: undefined,
    columnCursor: 0,
    hiddenColumns: hiddenColumns ?? new Set(),
    hidesSidePane: false,
    choice: undefined,
    images: new Map(),
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

/** Lines around the rows of the list: header, filters, headings; position, rule, summary, footer. */
const CHROME_LINES = 7;

/** Rows of the list that fit on the screen. */
export function listHeight({ rows }: Pick<PickerState, "rows">): number {
  return Math.max(1, rows - CHROME_LINES);
}

/** Below this the screen holds one line that says so. */
export const LEAST_COLUMNS = 40;
/** See {@link LEAST_COLUMNS}. */
export const LEAST_ROWS = 10;

/** Whether a side pane with details has room beside the list. */
export function hasSidePane({ columns, rows, hidesSidePane }: PickerState): boolean {
  return columns >= 120 && rows >= 24 && !hidesSidePane;
}

/** Columns of the side pane, its border included. */
export const SIDE_PANE_WIDTH = 44;

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
