import { UNKNOWN_LISTING_FACTS, type ListedOffer } from "@gpu-offers/domain";
import { rentUrl } from "@gpu-offers/domain/launching";
import { creditText, gpuText, offerFacts, placeText, priceHistoryFacts, printable } from "@gpu-offers/list";
import { rejectedText } from "../catalog/source-notes.js";
import { NAME_WIDTH, pair, piece, row, wrappedRows, type Pieces } from "../text/pieces.js";
import { fit, wrapped } from "../text/width.js";
import { actOnCompare, comparisonOf } from "./compare-pane.js";
import { imagesOf } from "./image-list.js";
import { readCredit } from "./query-actions.js";
import { movedCursor, BINDINGS, CONTEXT_TITLES, CONTEXTS, shortKeys, type Action, type Context } from "./keys.js";
import { actOnLaunch, launchRows } from "./launch-pane.js";
import { loadedSoFar } from "./loaded-offers.js";
import { currentOffer, currentRow } from "./offer-view.js";
import { bodyHeight, contextOf, fundsIn, paneWidths, type Pane, type PickerState } from "./state.js";

// Read-only panes: details, account, launch texts, comparison, help. Their content, layout and scrolling.

const ROWS: Partial<Record<Pane, (state: PickerState) => Pieces[]>> = {
  details: detailRows,
  account: accountRows,
  launch: launchRows,
  help: (state) => helpRows(contextOf({ ...state, ...state.underHelp })),
};

/** Content of the open pane: rows that stay on the screen, and rows that scroll below them. */
export function paneContent(state: PickerState): { heads: readonly Pieces[]; rows: readonly Pieces[] } {
  return state.pane === "compare" ? comparisonOf(state) : { heads: [], rows: ROWS[state.pane]?.(state) ?? [] };
}

export const HELP_WIDTH = 40;

/** Layout of the open pane: its columns, the lines that its rows take in them, how many are visible, and the first visible one. */
export function textLayout(state: PickerState, { heads, rows } = paneContent(state)) {
  const height = bodyHeight(state) - heads.length;
  const columns = state.pane === "help" ? Math.max(1, Math.floor(state.columns / HELP_WIDTH)) : 1;
  const length = Math.max(Math.min(height, rows.length), Math.ceil(rows.length / columns));
  return { columns, length, height, top: Math.min(state.paneTop, Math.max(0, length - height)) };
}

const ACTIONS: Partial<Record<Pane, (state: PickerState, action: Action | undefined) => PickerState | undefined>> = {
  compare: actOnCompare,
  launch: actOnLaunch,
};

/** Handles keys of these panes. */
export function actOnTextPane(state: PickerState, action: Action | undefined): PickerState {
  if (action === "close") {
    return { ...state, ...(state.pane === "help" ? state.underHelp : ({ pane: "none", paneTop: 0 } as const)) };
  }
  if (action === "refresh") {
    return readCredit(state);
  }
  const acted = ACTIONS[state.pane]?.(state, action);
  if (acted !== undefined) {
    return acted;
  }
  const { length, height, top } = textLayout(state);
  const paneTop = movedCursor(action, { cursor: top, count: length - height + 1, height });
  return paneTop === undefined ? state : { ...state, paneTop };
}

/** Width of the details beside the list, without their border, or over it. */
function detailsWidth(state: PickerState): number {
  const { details } = paneWidths(state);
  return details === 0 ? state.columns : details - 2;
}

/** All facts about the offer under the cursor. While there are no offers yet, nothing is said. */
export function detailRows(state: PickerState): Pieces[] {
  const { view, loaded, histories, nowMs, marks } = state;
  const offer = currentOffer(view);
  if (offer === undefined) {
    return loadedSoFar(loaded) === undefined ? [row(" No offer under the cursor.")] : [];
  }
  const history = histories.get(offer.id);
  const places = currentRow(view)?.places;
  const facts: [string, string][] = [
    ...factsOf(state, offer),
    ...(history === undefined ? [] : priceHistoryFacts(history, nowMs)),
    ...(places === undefined ? [] : [["locations", places.map(placeText).join(", ")] as [string, string]]),
    ...listed("images", imagesOf(state, offer) ?? [], ({ displayName }) => displayName),
    ...listed("marked", [...marks.values()], (marked) => `${gpuText(marked)}, ${marked.provider.name}`),
  ];
  const width = detailsWidth(state) - NAME_WIDTH - 1;
  return facts.flatMap(([name, value]) =>
    wrapped(printable(value), width).map((text, index) => pair(index === 0 ? name : "", text)),
  );
}

/** Facts of one name, which stands before the first one. */
function listed<Item>(name: string, items: readonly Item[], textOf: (item: Item) => string): [string, string][] {
  return items.map((item, index) => [index === 0 ? name : "", textOf(item)]);
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

/** Maximum number of rejected rows shown; the pane names a command that lists all. */
const REJECTED_SHOWN = 100;

function accountRows({ credit, loaded, sourceOptions, columns }: PickerState): Pieces[] {
  const { rejected } = loaded;
  if (rejected.length > 0) {
    return [
      ...wrappedRows(rejectedText(rejected, sourceOptions), columns, "warning"),
      ...rejected
        .slice(0, REJECTED_SHOWN)
        .flatMap(({ where, code, reason }) => wrappedRows(`${where}: ${code}. ${reason}`, columns)),
    ];
  }
  if (credit === undefined) {
    return [row(" No account: set GPU_OFFERS_API_KEY to your API key.")];
  }
  const { account, balance, problem } = credit;
  return [
    ...(problem === undefined ? [] : wrappedRows(problem.message, columns, "warning")),
    pair("account", account?.display_name ?? "..."),
    pair("email", account?.email ?? "..."),
    pair("since", account?.created_at.slice(0, 10) ?? "..."),
    pair("balance", balance === undefined ? "..." : creditText(balance)),
  ];
}

const MARKS: readonly (readonly [mark: string, meaning: string])[] = [
  ["×", "sold out"],
  ["?", "not known to be in stock"],
  ["●", "marked for comparison"],
  ["›", "a group; Enter opens it"],
  ["≥", "at least: disk price unknown"],
  ["STALE", "offers may be outdated; the last refresh failed"],
];

/** The keys of a context, and global keys. */
function helpRows(context: Context): Pieces[] {
  const helpRow = (name: string, help: string): Pieces => [piece(`  ${fit(name, 12)} `, "strong"), piece(help)];
  const keyRows = (isShared: boolean): Pieces[] =>
    BINDINGS.filter(
      ({ in: contexts }) => contexts.includes(context) && (contexts.length === CONTEXTS.length) === isShared,
    ).map(({ keys, help }) => helpRow(shortKeys(keys), help));
  return [
    row(` ${CONTEXT_TITLES[context]}`, "accent"),
    ...keyRows(false),
    row(" everywhere", "accent"),
    ...keyRows(true),
    row(" marks", "accent"),
    ...MARKS.map(([name, meaning]) => helpRow(name, meaning)),
  ];
}
