import { compareOffers, type ComparedFact, type Offer } from "@gpu-offers/domain";
import {
  ageSince,
  COMPARED_NAMES,
  comparedDistance,
  comparedText,
  gpuText,
  placeText,
  printable,
} from "@gpu-offers/list";
import { fit, textWidth, wrapped } from "../text/width.js";
import { step, type Step } from "./event.js";
import type { Action } from "./keys.js";
import { fundsIn, type PickerState } from "./state.js";
import { choose } from "./step-actions.js";

// Compares marked offers side by side, a column per offer: first the facts that differ, then common facts in one line.

/** The comparison: heads that stay on the screen, and rows that scroll below them. */
export interface Comparison {
  /** The offer under the cursor. */
  current: Offer | undefined;
  /** GPU, and provider with place, of the offers on the screen. */
  heads: readonly string[];
  rows: readonly CompareRow[];
}

/** A row of the comparison. */
interface CompareRow {
  kind: "differs" | "same";
  text: string;
}

/** Width of the fact names. */
const NAME_WIDTH = 15;

/** Minimum width of an offer's column: five fit in 140 columns, three in 80. */
const MINIMUM_WIDTH = 20;

/** There is nothing to compare one offer with, so two are shown in any window. */
const MINIMUM_COUNT = 2;

/** Number of marked offers that fit side by side. */
function comparedCount({ columns, marks }: Pick<PickerState, "columns" | "marks">): number {
  return Math.min(marks.size, Math.max(MINIMUM_COUNT, Math.floor((columns - NAME_WIDTH - 2) / (MINIMUM_WIDTH + 1))));
}

/** The compared offer under the cursor. */
function comparedOffer({ marks, compareCursor }: PickerState): Offer | undefined {
  return [...marks.values()][Math.min(compareCursor, marks.size - 1)];
}

/** The comparison, no wider than the screen. The columns on the screen include the offer under the cursor. */
export function comparisonOf(state: PickerState): Comparison {
  const { marks, compareCursor: cursor, columns } = state;
  const offers = [...marks.values()];
  const count = comparedCount({ columns, marks });
  const first = Math.max(0, Math.min(cursor, offers.length - 1) - count + 1);
  const shown = offers.map((offer, index) => ({ offer, index })).slice(first, first + count);
  const width = Math.floor((columns - NAME_WIDTH - 2) / Math.max(1, count)) - 1;
  const facts = comparedFacts(state, offers);
  const row = (name: string, cells: readonly string[]): string =>
    ` ${fit(name, NAME_WIDTH)} ${cells.map((cell) => fit(cell, width)).join(" ")}`;
  const same = facts
    .filter(({ differs }) => !differs)
    .map((fact) => `${nameOf(fact)} ${comparedText(fact, offers, 0)}`);
  const position = count < offers.length ? `${first + 1}–${first + count} of ${offers.length}` : "";
  return {
    current: comparedOffer(state),
    heads: [
      row(
        position,
        shown.map(({ offer, index }) => `${index === cursor ? "❯ " : "  "}${gpuText(offer)}`),
      ),
      row(
        "",
        shown.map(({ offer }) => `  ${printable(offer.provider.name)} ${placeText(offer)}`),
      ),
    ],
    rows: [
      ...facts
        .filter(({ differs }) => differs)
        .map((fact): CompareRow => {
          const cells = shown.map(({ index }) => `  ${cellOf(fact, offers, index, width - 2)}`);
          return { kind: "differs", text: row(nameOf(fact), cells) };
        }),
      ...wrapped(same.length === 0 ? "" : `same: ${same.join(" · ")}`, columns - 2).map((text): CompareRow => ({
        kind: "same",
        text: ` ${text}`,
      })),
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
export function actOnCompare(state: PickerState, action: Action | undefined): Step | undefined {
  const cursor = Math.min(state.compareCursor, state.marks.size - 1);
  const offer = comparedOffer(state);
  if (action === "left" || action === "right") {
    const next = cursor + (action === "left" ? -1 : 1);
    return step({ ...state, compareCursor: Math.max(0, Math.min(next, state.marks.size - 1)) });
  }
  if (action === "pick") {
    return offer === undefined ? step(state) : choose({ ...state, pane: "none" }, offer);
  }
  return action === "dropMarks"
    ? step({ ...state, marks: new Map(), compareCursor: 0, pane: "none", notice: "No offers are marked now." })
    : undefined;
}
