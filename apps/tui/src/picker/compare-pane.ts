import { compareOffers, type ComparedFact, type Offer } from "@gpu-offers/domain";
import {
  ageSince,
  type CatalogAge,
  COMPARED_NAMES,
  comparedDistance,
  comparedText,
  gpuText,
  memoizeLast,
  printable,
} from "@gpu-offers/list";
import { fit, textWidth, wrapped } from "../text/width.js";
import { fundsOf, type PickerState } from "./state.js";

// Compares marked offers side by side, a column per offer: first the facts that differ, then common facts in one line.

/** A row of the comparison. */
export interface CompareRow {
  kind: "offers" | "differs" | "same";
  text: string;
}

/** Width of the fact names. */
const NAME_WIDTH = 15;

/** Minimum width of an offer's column: five fit in 140 columns, three in 80. */
const MINIMUM_WIDTH = 20;

/** There is nothing to compare one offer with, so two are shown in any window. */
const MINIMUM_COUNT = 2;

/** Number of marked offers that fit side by side. */
export function comparedCount({ columns, marks }: Pick<PickerState, "columns" | "marks">): number {
  return Math.min(marks.size, Math.max(MINIMUM_COUNT, Math.floor((columns - NAME_WIDTH - 2) / (MINIMUM_WIDTH + 1))));
}

/** The rows of the comparison, no wider than the screen. */
export function compareRows(state: PickerState): readonly CompareRow[] {
  const { marks, columns, query, nowMs, loaded } = state;
  return rowsFor(marks, columns, query.filter.diskGb, fundsOf(state), loaded.age, Math.floor(nowMs / 60_000));
}

const rowsFor = memoizeLast(
  (
    marks: PickerState["marks"],
    columns: number,
    diskGb: number | undefined,
    balance: ReturnType<typeof fundsOf>,
    age: CatalogAge | undefined,
    nowMinutes: number,
  ): readonly CompareRow[] => {
    const offers = [...marks.values()].slice(0, comparedCount({ columns, marks }));
    const width = Math.floor((columns - NAME_WIDTH - 2) / Math.max(1, offers.length)) - 1;
    const facts = compareOffers(offers, {
      diskGb,
      balance,
      pricesAsOf: ({ provider }) => {
        const date = age?.pricesAsOf.get(provider.name);
        return date === undefined ? undefined : ageSince(date, nowMinutes * 60_000);
      },
    });
    const row = (name: string, cells: readonly string[]): string =>
      ` ${fit(name, NAME_WIDTH)} ${cells.map((cell) => fit(cell, width)).join(" ")}`;
    const titles = offers.map((offer) => gpuText(offer));
    const places = offers.map((offer) => `${printable(offer.provider.name)} ${printable(offer.region)}`);
    const same = facts
      .filter(({ differs }) => !differs)
      .map((fact) => `${nameOf(fact)} ${comparedText(fact, offers, 0)}`);
    return [
      { kind: "offers", text: row("", titles) },
      { kind: "offers", text: row("", places) },
      ...facts
        .filter(({ differs }) => differs)
        .map((fact): CompareRow => ({ kind: "differs", text: row(nameOf(fact), cellsOf(fact, offers, width)) })),
      ...wrapped(same.length === 0 ? "" : `same: ${same.join(" · ")}`, columns - 2).map((text): CompareRow => ({
        kind: "same",
        text: ` ${text}`,
      })),
    ];
  },
);

/** The values of a fact, with the difference to the first for numbers, if it fits. */
function cellsOf(fact: ComparedFact, offers: readonly Offer[], width: number): string[] {
  return fact.values.map((_, index) => {
    const text = comparedText(fact, offers, index);
    const whole = text + comparedDistance(fact, index);
    return textWidth(whole) <= width ? whole : text;
  });
}

/** Prices have an age here, not a date. */
function nameOf({ key }: ComparedFact): string {
  return key === "pricesAsOf" ? "price age" : COMPARED_NAMES[key];
}
