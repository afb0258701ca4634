import { UNKNOWN_LISTING_FACTS, type ListedOffer, type Offer } from "@gpu-offers/domain";
import { rentUrl } from "@gpu-offers/domain/launching";
import { creditText, gpuText, offerFacts, placeText, priceHistoryFacts, printable } from "@gpu-offers/list";
import { rejectedText } from "../catalog/source-notes.js";
import { wrapped } from "../text/width.js";
import { actOnCompare, comparisonOf } from "./compare-pane.js";
import { movedCursor } from "./cursor.js";
import { step, withCredit, type Step } from "./event.js";
import { imagesOf } from "./image-list.js";
import { BINDINGS, CONTEXT_TITLES, CONTEXTS, shortKeys, type Action, type Context } from "./keys.js";
import { actOnLaunch, launchRows } from "./launch-pane.js";
import { loadedSoFar } from "./loaded-offers.js";
import { currentOffer, currentRow } from "./offer-view.js";
import type { TextRow } from "./text-row.js";
import { bodyHeight, contextOf, fundsIn, paneWidths, type PickerState } from "./state.js";

// Read-only panes: details, account, help. Their content, layout and scrolling.

/** Content of the open pane. */
export function textRows(state: PickerState): TextRow[] {
  switch (state.pane) {
    case "details":
      return detailRows(state, detailsWidth(state));
    case "account":
      return accountRows(state);
    case "launch":
      return launchRows(state, state.columns);
    case "help":
      return helpRows(contextOf({ ...state, pane: state.paneUnderHelp }));
    case "none":
    case "text":
    case "facets":
    case "columns":
    case "reading":
      return [];
    case "compare":
      return comparisonOf(state).rows.map(({ text }): TextRow => ({ kind: "note", text }));
  }
}

/** Width of a key's help. */
export const HELP_WIDTH = 40;

/** Layout of the open pane's rows in columns. */
export interface TextLayout {
  columns: number;
  /** Number of lines of all rows in this number of columns. */
  length: number;
  /** Number of visible lines. */
  height: number;
  /** First visible line. */
  top: number;
}

/** Lines of the compared offers' names, which don't scroll. */
const COMPARED_HEADS = 2;

/** See {@link TextLayout}; `count` is the number of the pane's rows. */
export function textLayout(state: PickerState, count = textRows(state).length): TextLayout {
  const height = bodyHeight(state) - (state.pane === "compare" ? COMPARED_HEADS : 0);
  const columns = state.pane === "help" ? Math.max(1, Math.floor(state.columns / HELP_WIDTH)) : 1;
  const length = Math.max(Math.min(height, count), Math.ceil(count / columns));
  return { columns, length, height, top: Math.min(state.paneTop, Math.max(0, length - height)) };
}

/** Handles keys of these panes. */
export function actOnTextPane(state: PickerState, action: Action | undefined): Step {
  if (action === "close") {
    const { pane, paneUnderHelp, topUnderHelp } = state;
    return step(
      pane === "help"
        ? { ...state, pane: paneUnderHelp, paneTop: topUnderHelp }
        : { ...state, pane: "none", paneTop: 0 },
    );
  }
  if (action === "refresh") {
    return withCredit(step(state));
  }
  const acted =
    state.pane === "compare"
      ? actOnCompare(state, action)
      : state.pane === "launch"
        ? actOnLaunch(state, action)
        : undefined;
  if (acted !== undefined) {
    return acted;
  }
  const { length, height, top } = textLayout(state);
  const paneTop = movedCursor(action, { cursor: top, count: length - height + 1, height });
  return step(paneTop === undefined ? state : { ...state, paneTop });
}

/** Width of the fact names, with the spaces around them. */
export const NAME_WIDTH = 16;

/** Width of the details beside the list, without their border, or over it. */
export function detailsWidth(state: PickerState): number {
  const { details } = paneWidths(state);
  return details === 0 ? state.columns : details - 2;
}

/** All facts about the offer under the cursor, wrapped to `width` columns. While there are no offers yet, nothing is said. */
export function detailRows(state: PickerState, width: number): TextRow[] {
  const { view, loaded } = state;
  const offer = currentOffer(view);
  if (offer === undefined) {
    return loadedSoFar(loaded) === undefined ? [{ kind: "note", text: "No offer under the cursor." }] : [];
  }
  return [
    ...factsOf(state, offer).flatMap(([name, value]) => pairRows(name, value, width)),
    ...historyRows(state, offer, width),
    ...placeRows(state, width),
    ...imageRows(state, offer, width),
    ...markRows(state, width),
  ];
}

/** All facts about an offer: names and values. */
export function factsOf(state: PickerState, offer: ListedOffer): ReturnType<typeof offerFacts> {
  const stated = offer.listing ?? UNKNOWN_LISTING_FACTS;
  const url = rentUrl(offer, () => stated);
  const facts = offerFacts(offer, {
    diskGb: state.found.query.disk,
    balance: fundsIn(state),
    pricesAsOf: state.loaded.age?.pricesAsOf,
    nowMs: state.nowMs,
    stated: offer.listing,
  });
  return url === null ? facts : [...facts, ["rent at", url]];
}

function pairRows(name: string, value: string, width: number): TextRow[] {
  return wrapped(value, width - NAME_WIDTH - 1).map((text, index): TextRow => ({
    kind: "pair",
    name: index === 0 ? name : "",
    value: text,
  }));
}

/** Its price history, if the source has one. */
function historyRows({ histories, nowMs }: PickerState, { id }: Offer, width: number): TextRow[] {
  const history = histories.get(id);
  return history === undefined
    ? []
    : priceHistoryFacts(history, nowMs).flatMap(([name, value]) => pairRows(name, value, width));
}

/** The regions of a group. */
function placeRows({ view }: PickerState, width: number): TextRow[] {
  const places = currentRow(view)?.places;
  return places === undefined ? [] : pairRows("locations", places.map(placeText).join(", "), width);
}

/** The images that it can boot, if loaded. */
function imageRows(state: PickerState, offer: Offer, width: number): TextRow[] {
  const images = imagesOf(state, offer);
  return images === undefined || images.length === 0
    ? []
    : images.flatMap(({ displayName }, index) => pairRows(index === 0 ? "images" : "", printable(displayName), width));
}

function markRows({ marks }: PickerState, width: number): TextRow[] {
  return [...marks.values()].flatMap((offer, index) =>
    pairRows(index === 0 ? "marked" : "", `${gpuText(offer)}, ${printable(offer.provider.name)}`, width),
  );
}

/** Maximum number of rejected rows shown; the pane names a command that lists all. */
const REJECTED_SHOWN = 100;

/** Account and credit, or the rejected rows of a catalog file. */
function accountRows({ credit, loaded, sourceOptions, columns }: PickerState): TextRow[] {
  if (loaded.rejected.length > 0) {
    return [
      ...proseRows("warning", printable(rejectedText(loaded.rejected, sourceOptions)), columns),
      ...loaded.rejected
        .slice(0, REJECTED_SHOWN)
        .flatMap(({ where, code, reason }) => proseRows("note", printable(`${where}: ${code}. ${reason}`), columns)),
    ];
  }
  if (credit === undefined) {
    return [{ kind: "note", text: "No account: set GPU_OFFERS_API_KEY to your API key." }];
  }
  const { account, balance, problem } = credit;
  const facts: [string, string][] = [
    ["account", account?.display_name ?? "..."],
    ["email", account?.email ?? "..."],
    ["since", account?.created_at.slice(0, 10) ?? "..."],
    ["balance", balance === undefined ? "..." : creditText(balance)],
  ];
  return [
    ...(problem === undefined ? [] : proseRows("warning", problem.message, columns)),
    ...facts.map(([name, value]): TextRow => ({ kind: "pair", name, value: printable(value) })),
  ];
}

/** Wraps a sentence to rows. */
function proseRows(kind: "note" | "warning", text: string, columns: number): TextRow[] {
  return wrapped(text, columns - 2).map((part) => ({ kind, text: part }));
}

/** Symbols on the screen. */
const MARKS: readonly (readonly [mark: string, meaning: string])[] = [
  ["×", "sold out"],
  ["?", "not known to be in stock"],
  ["●", "marked for comparison"],
  ["›", "a group; Enter opens it"],
  ["≥", "at least: disk price unknown"],
  ["STALE", "offers may be outdated; the last refresh failed"],
];

/** The keys of a context, and global keys. */
function helpRows(context: Context): TextRow[] {
  const here = BINDINGS.filter((binding) => binding.in.includes(context) && !isEverywhere(binding.in));
  const shared = BINDINGS.filter((binding) => isEverywhere(binding.in));
  const rowOf = ({ keys, help }: (typeof BINDINGS)[number]): TextRow => ({
    kind: "pair",
    name: shortKeys(keys),
    value: help,
  });
  return [
    { kind: "title", text: CONTEXT_TITLES[context] },
    ...here.map(rowOf),
    { kind: "title", text: "everywhere" },
    ...shared.map(rowOf),
    { kind: "title", text: "marks" },
    ...MARKS.map(([name, value]): TextRow => ({ kind: "pair", name, value })),
  ];
}

function isEverywhere(contexts: readonly Context[]): boolean {
  return contexts.length === CONTEXTS.length;
}
