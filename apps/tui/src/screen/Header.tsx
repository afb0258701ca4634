import type { ReactElement } from "react";
import { oldestPricesMs } from "../catalog/offer-source.js";
import { isStale, loadedSoFar } from "../picker/loaded-offers.js";
import { fundsOf, isSlow, type PickerState } from "../picker/state.js";
import { ageText } from "../text/age-text.js";
import { countOf, countText } from "../text/count-text.js";
import { creditText } from "../text/price-text.js";
import { ends, piece, type Piece } from "./pieces.js";
import { Row } from "./Row.js";

const SPINNER = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"] as const;
const SPIN_MS = 120;

/** Number of offers, credit, and age of prices. */
export function Header({ state }: { state: PickerState }): ReactElement {
  const left = [piece(" gpu-offers", "strong"), piece(`   ${countWords(state)}`)];
  const right = [rejected(state), credit(state), freshness(state)].filter((pieces) => pieces.length > 0);
  const gap = state.columns < 60 ? 1 : 3;
  const spaced = right.flatMap((pieces) => pieces.concat(piece(" ".repeat(gap))));
  return <Row pieces={ends(left, [...spaced.slice(0, -1), piece(" ")], state.columns)} />;
}

/** Progress of the first load, so that its count doesn't look final. */
function countWords({ loaded, view }: PickerState): string {
  const loadedCount = loadedSoFar(loaded);
  if (loadedCount !== undefined) {
    return loadedCount === 0
      ? ""
      : `${countText(loadedCount)} of ${countText(loaded.total ?? loadedCount)} offers loaded ...`;
  }
  const total = loaded.total ?? loaded.offers.length;
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
  const funds = fundsOf(state);
  return funds === undefined
    ? []
    : [piece(state.query.filter.budget === undefined ? "balance " : "budget "), piece(creditText(funds), "strong")];
}

/** State of the connection if noteworthy, otherwise the age of prices if known. */
function freshness(state: PickerState): Piece[] {
  const { loaded, nowMs } = state;
  const { load, age } = loaded;
  if (load.kind === "loading" && isSlow(state, load.sinceMs)) {
    const spinner = SPINNER[Math.floor(nowMs / SPIN_MS) % SPINNER.length] ?? "";
    return [piece(`${spinner} loading ${countText(loaded.incoming.length)}`, "accent")];
  }
  if (load.kind === "failed") {
    const wait = load.retryAtMs === undefined ? "R retries" : `retry in ${secondsUntil(load.retryAtMs, nowMs)}s`;
    return [piece(isStale(loaded) ? "STALE " : "OFFLINE ", "warning"), piece(wait)];
  }
  const oldestMs = age === undefined ? undefined : oldestPricesMs(age);
  if (age === undefined || oldestMs === undefined) {
    return [];
  }
  const words = `prices ${ageText(nowMs - oldestMs)} old`;
  return age.staleProviders.length === 0 ? [piece(words, "muted")] : [piece(`${words}, some stale`, "warning")];
}

function secondsUntil(thenMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((thenMs - nowMs) / 1000));
}
