import {
  ageRangeOf,
  ageRangeText,
  chipsOf,
  countOf,
  countText,
  creditText,
  memoizeLast,
  printable,
  sampleLine,
  UNKNOWN_AGE,
  type CatalogAge,
} from "@gpu-offers/list";
import type { ListedOffer } from "@gpu-offers/domain";
import type { ReactElement } from "react";
import { pendingSources } from "../picker/live-prices.js";
import { loadedSoFar } from "../picker/loaded-offers.js";
import { fundsIn, isSilent, isSlow, totalOf, type PickerState } from "../picker/state.js";
import { clip, ends, fieldWindow, piece, piecesWidth, type Piece, type Pieces } from "../text/pieces.js";
import { textWidth, truncate } from "../text/width.js";
import { Row } from "./Row.js";

const SPINNER = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"] as const;
const SPIN_MS = 120;

/** Number of offers, credit, and age of prices. */
export function Header({ state }: { state: PickerState }): ReactElement {
  const { columns } = state;
  const count = countWords(state);
  const named = [piece(" gpu-offers", "strong"), piece(`   ${count}`)];
  const unnamed = [piece(` ${count}`)];
  const notes = [rejected(state), credit(state), livePrices(state), connection(state)];
  const gap = columns < 60 ? 1 : 3;
  const [all, short] = agesOfPrices(state).map((age) => spaced([...notes, age], gap));
  // In a narrow window, words are shortened first, then the name goes, then the age, and the count never.
  const ways: readonly (readonly [left: Pieces, right: Pieces])[] = [
    [named, all ?? []],
    [named, short ?? []],
    [unnamed, short ?? []],
    [unnamed, spaced(notes, gap)],
  ];
  const [left, right] =
    ways.find((way) => way.reduce((sum, pieces) => sum + piecesWidth(pieces), gap) <= columns) ??
    ([unnamed, clip(spaced(notes, gap), columns - piecesWidth(unnamed) - gap)] as const);
  return <Row pieces={ends(left, right, columns)} />;
}

function spaced(parts: readonly Pieces[], gap: number): Pieces {
  const separated = parts
    .filter((pieces) => pieces.length > 0)
    .flatMap((pieces) => pieces.concat(piece(" ".repeat(gap))));
  return [...separated.slice(0, -1), piece(" ")];
}

/** Progress of the first load, so that its count doesn't look final. */
function countWords(state: PickerState): string {
  const { loaded, view } = state;
  const total = totalOf(state);
  const loadedCount = loadedSoFar(loaded);
  if (loadedCount !== undefined) {
    return loadedCount === 0 ? "" : `${countText(loadedCount)} of ${countText(total)} offers loaded ...`;
  }
  if (loaded.asOfMs === undefined && loaded.total === undefined) {
    return "";
  }
  const some = view.offers.length === total ? "" : `${countText(view.offers.length)} of `;
  return `${some}${countOf(total, "offer")}`;
}

function rejected({ loaded }: PickerState): Piece[] {
  const { length } = loaded.rejected;
  return length === 0 ? [] : [piece(`${countOf(length, "row")} rejected (a)`, "warning")];
}

function credit(state: PickerState): Piece[] {
  if (state.columns < 60) {
    return [];
  }
  if (state.credit?.problem?.kind === "unauthorized") {
    return [piece("invalid API key (a)", "warning")];
  }
  const funds = fundsIn(state);
  const isBudget = state.found.query.budget !== undefined;
  return funds === undefined ? [] : [piece(isBudget ? "budget " : "balance "), piece(creditText(funds), "strong")];
}

/** Without a server: the sources that are being fetched. */
function livePrices({ live }: PickerState): Piece[] {
  const pending = pendingSources({ live });
  return pending.length === 0 ? [] : [piece(`fetching ${pending.join(", ")}`, "accent")];
}

function connection({ loaded, nowMs }: PickerState): Piece[] {
  const { load } = loaded;
  if (load.kind === "loading" && isSlow(nowMs, load.sinceMs)) {
    if (isSilent(nowMs, load.sinceMs) && loaded.incoming.length === 0 && loaded.offers.length === 0) {
      return [piece(`no response for ${Math.floor((nowMs - load.sinceMs) / 1000)} s`, "warning")];
    }
    const spinner = SPINNER[Math.floor(nowMs / SPIN_MS) % SPINNER.length] ?? "";
    return [piece(`${spinner} loading ${countText(loaded.incoming.length)}`, "accent")];
  }
  if (load.kind === "failed") {
    const waitMs = load.retryAtMs === undefined ? undefined : Math.max(0, load.retryAtMs - nowMs);
    const wait = waitMs === undefined ? "R retries" : `retry in ${Math.ceil(waitMs / 1000)}s`;
    const trouble = load.problem.kind === "file" ? "UNREADABLE " : "OFFLINE ";
    return [piece(loaded.offers.length > 0 ? "STALE " : trouble, "warning"), piece(wait)];
  }
  return [];
}

const listedPrices = memoizeLast((offers: readonly ListedOffer[], age: CatalogAge) => ({
  sample: sampleLine(offers, age),
  range: ageRangeOf(offers, age),
}));

/** Ages of the matching prices, or that they are a sample, in full and in few words if known, unless the state of the connection is shown. */
function agesOfPrices(state: PickerState): readonly [full: Piece[], short: Piece[]] {
  const { columns, loaded, view, nowMs, live } = state;
  const { age, offers } = loaded;
  const { sample, range } = listedPrices(view.offers.length === 0 ? offers : view.offers, age ?? UNKNOWN_AGE);
  if (sample !== undefined) {
    return [
      [piece(`${sample}${live === undefined ? "" : " (L: live)"}`, "warning")],
      [piece(columns < 70 ? "sample prices" : sample, "warning")],
    ];
  }
  if (age === undefined || offers.length === 0 || connection(state).length > 0) {
    return [[], []];
  }
  const textOf = (isShort: boolean): Piece[] => {
    const words = ageRangeText(range, nowMs, isShort);
    return [age.staleProviders.length === 0 ? piece(words, "muted") : piece(`${words}, some stale`, "warning")];
  };
  return [textOf(false), textOf(true)];
}

/** Placeholder if there are no filters. */
const INVITATION = "/ to filter, such as 8xh100 eu 80g+ <2.50   f facets";

/** Columns around the field and the other filters. */
const MARGIN = 6;

/** The filter field, and the other filters to its right. */
export function FilterLine({ state: { columns, field, pane, query } }: { state: PickerState }): ReactElement {
  const isTyped = pane === "text";
  const chips = chipsOf({ ...query, q: undefined })
    .map(({ text }) => text)
    .join("  ");
  if (!isTyped && chips === "" && field.text === "") {
    return <Row pieces={ends([piece(` ${INVITATION}`, "muted")], [], columns)} />;
  }
  // What is typed is always seen; otherwise the field leaves room for the other filters.
  const width = columns - MARGIN;
  const fieldWidth = isTyped ? width : Math.max(Math.floor(width / 2), width - textWidth(chips));
  const shown = isTyped
    ? fieldWindow(field.text, field.cursor, fieldWidth)
    : [piece(truncate(printable(field.text), fieldWidth), "strong")];
  const left = [piece(" / ", isTyped ? "accent" : "muted"), ...shown, piece("  ")];
  const room = columns - piecesWidth(left) - 1;
  const clear = isTyped ? "" : "  (x clear all)";
  // Filters take precedence over the hint, which is also in the help.
  const hasRoom = chips.length + clear.length <= room;
  const right = [piece(truncate(chips, room), "accent"), piece(hasRoom ? clear : "", "muted"), piece(" ")];
  return <Row pieces={ends(left, right, columns)} />;
}
