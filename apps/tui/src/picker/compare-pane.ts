import { compareOffers, type ComparedFact, type ListedOffer, type Offer } from "@gpu-offers/domain";
import {
  ageSince,
  COMPARED_NAMES,
  comparedDistance,
  comparedText,
  gpuText,
  placeText,
  printable,
} from "@gpu-offers/list";
import { row, wrappedRows, type Pieces, type Role } from "../text/pieces.js";
import { fit, textWidth } from "../text/width.js";
import type { Action } from "./keys.js";
import { fundsIn, type PickerState } from "./state.js";
import { choose } from "./step-actions.js";

// Compares marked offers side by side, a column per offer: first the facts that differ, then common facts in one line.

const NAME_WIDTH = 15;

/** Minimum width of an offer's column: five fit in 140 columns, three in 80. */
const MINIMUM_WIDTH = 20;

/** There is nothing to compare one offer with, so two are shown in any window. */
const MINIMUM_COUNT = 2;

/** Index of the compared offer under the cursor. */
function cursorIn({ marks, compareCursor }: PickerState): number {
  return Math.min(compareCursor, marks.size - 1);
}

export function comparedOffer(state: PickerState): ListedOffer | undefined {
  return [...state.marks.values()][cursorIn(state)];
}

/**
 * The comparison, no wider than the screen: GPU, and provider with place, of the offers, then facts. The columns on the
 * screen include the offer under the cursor.
 */
export function comparisonOf(state: PickerState): { heads: Pieces[]; rows: Pieces[] } {
  const { marks, columns } = state;
  const offers = [...marks.values()];
  const cursor = cursorIn(state);
  const fitting = Math.floor((columns - NAME_WIDTH - 2) / (MINIMUM_WIDTH + 1));
  const count = Math.min(offers.length, Math.max(MINIMUM_COUNT, fitting));
  const first = Math.max(0, cursor - count + 1);
  const width = Math.floor((columns - NAME_WIDTH - 2) / Math.max(1, count)) - 1;
  const line = (name: string, textOf: (offer: Offer, index: number) => string, role: Role): Pieces => {
    const cells = offers.map(textOf).slice(first, first + count);
    return row(` ${fit(name, NAME_WIDTH)} ${cells.map((cell) => fit(cell, width)).join(" ")}`, role);
  };
  const { true: differing = [], false: same = [] } = Object.groupBy(comparedFacts(state, offers), ({ differs }) =>
    differs ? "true" : "false",
  );
  const sameTexts = same.map((fact) => `${nameOf(fact)} ${comparedText(fact, offers, 0)}`);
  const position = count < offers.length ? `${first + 1}–${first + count} of ${offers.length}` : "";
  return {
    heads: [
      line(position, (offer, index) => `${index === cursor ? "❯ " : "  "}${gpuText(offer)}`, "strong"),
      line("", (offer) => `  ${printable(offer.provider.name)} ${placeText(offer)}`, "strong"),
    ],
    rows: [
      ...differing.map((fact) =>
        line(nameOf(fact), (_, index) => `  ${cellOf(fact, offers, index, width - 2)}`, "plain"),
      ),
      ...wrappedRows(sameTexts.length === 0 ? "" : `same: ${sameTexts.join(" · ")}`, columns, "muted"),
    ],
  };
}

/** The facts of offers, with the ages of their prices. */
export function comparedFacts(state: PickerState, offers: readonly Offer[]): ComparedFact[] {
  return compareOffers(offers, {
    diskGb: state.found.query.disk,
    balance: fundsIn(state),
    pricesAsOf: ({ provider }) => {
      const date = state.loaded.age?.pricesAsOf.get(provider.name);
      return date === undefined ? undefined : ageSince(date, state.nowMs);
    },
  });
}

/** Prices have an age here, not a date. */
export function nameOf({ key }: ComparedFact): string {
  return key === "pricesAsOf" ? "price age" : COMPARED_NAMES[key];
}

/** A value of a fact, with the difference to the first for numbers, if it fits. */
function cellOf(fact: ComparedFact, offers: readonly Offer[], index: number, width: number): string {
  const text = comparedText(fact, offers, index);
  const whole = text + comparedDistance(fact, index);
  return textWidth(whole) <= width ? whole : text;
}

/** Handles keys of the comparison. */
export function actOnCompare(state: PickerState, action: Action | undefined): PickerState | undefined {
  if (action === "left" || action === "right") {
    const next = cursorIn(state) + (action === "left" ? -1 : 1);
    return { ...state, compareCursor: Math.max(0, Math.min(next, state.marks.size - 1)) };
  }
  if (action === "pick") {
    const offer = comparedOffer(state);
    return offer === undefined ? state : choose({ ...state, pane: "none" }, offer);
  }
  return action === "dropMarks"
    ? { ...state, marks: new Map(), compareCursor: 0, pane: "none", notice: "No offers are marked now." }
    : undefined;
}
