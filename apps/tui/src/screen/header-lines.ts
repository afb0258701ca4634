import { countOf, countText } from "../text/count-text.js";
import { creditText } from "../text/price-text.js";
import { filterChips } from "../query/filter-words.js";
import { isStale } from "../picker/held-offers.js";
import { contextOf, isSlow, type PickerState } from "../picker/state.js";
import { ends, fieldPieces, lineWidth, piece, type Line, type Piece } from "./line.js";

const SPINNER = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"] as const;
const SPIN_MS = 120;

/** How many offers of how many, the credit, and how old all of it is. */
export function headerLine(state: PickerState): Line {
  const { held, view, columns } = state;
  const total = held.total ?? held.offers.length;
  const some = view.rows.length === total ? "" : `${countText(view.rows.length)} of `;
  const title = [piece(" gpu-offers", "strong"), piece(`   ${some}${countOf(total, "offer")}`)];
  return ends(title, [...refusedPieces(state), ...creditPieces(state), ...freshness(state), piece(" ")], columns);
}

function refusedPieces({ held: { refused } }: PickerState): Piece[] {
  return refused.length === 0 ? [] : [piece(`${countOf(refused.length, "row")} refused (a)`, "warning"), piece(" · ")];
}

function creditPieces({ credit, columns }: PickerState): Piece[] {
  if (columns < 60) {
    return [];
  }
  if (credit?.fault?.kind === "unauthorized") {
    return [piece("key refused (a)", "warning"), piece(" · ")];
  }
  if (credit?.balance === undefined) {
    return [];
  }
  return [piece("balance "), piece(creditText(credit.balance), "strong"), piece(" · ")];
}

function freshness(state: PickerState): Piece[] {
  const { held, nowMs, columns } = state;
  const { load } = held;
  if (load.kind === "loading" && isSlow(state, load.sinceMs)) {
    const spinner = SPINNER[Math.floor(nowMs / SPIN_MS) % SPINNER.length] ?? "";
    return [piece(`${spinner} loading ${countText(held.incoming.length)}`, "accent")];
  }
  if (load.kind === "failed") {
    const wait = load.retryAtMs === undefined ? "R retries" : `retry in ${secondsUntil(load.retryAtMs, nowMs)}s`;
    return [piece(isStale(held) ? "STALE " : "OFFLINE ", "warning"), piece(wait)];
  }
  return held.asOfMs === undefined
    ? []
    : [piece(`${columns < 60 ? "" : "updated "}${agoText(nowMs - held.asOfMs)}`, "muted")];
}

function secondsUntil(thenMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((thenMs - nowMs) / 1000));
}

function agoText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s ago` : `${Math.floor(seconds / 60)}m ago`;
}

/** What stands in the place of filters where there are none. */
const INVITATION = "words to filter by; f: the disk you need, price, place, what is available";

/** The filter field and the other filters. */
export function filterLine(state: PickerState): Line {
  const { field, pane, query, columns } = state;
  const shown = pane === "text" ? fieldPieces(field.text, field.cursor) : [piece(field.text, "strong")];
  const chips = filterChips(query.filter).join("  ");
  const clear = chips !== "" || field.text !== "" ? "  (x clear all)" : "";
  const left = [piece(" / ", pane === "text" ? "accent" : "muted"), ...shown, piece("  "), piece(chips, "accent")];
  const isBlank = chips === "" && field.text === "" && contextOf(state) === "list";
  // The filters come before the key that clears them, which the help names as well.
  const hasRoom = pane !== "text" && lineWidth(left) + clear.length < columns;
  return ends(
    isBlank ? [piece(" / ", "muted"), piece(INVITATION, "muted")] : left,
    [piece(hasRoom ? clear : "", "muted"), piece(" ")],
    columns,
  );
}
