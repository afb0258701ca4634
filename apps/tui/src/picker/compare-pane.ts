import { offerFacts } from "../output/offer-words.js";
import { fit, printable } from "../text/width.js";
import { fundsOf, type PickerState } from "./state.js";

export interface CompareRow {
  name: string;
  cells: readonly string[];
  role: "plain" | "strong" | "muted";
}

/** placeholder until the domain compares. */
export function compareRows(state: PickerState): CompareRow[] {
  const offers = [...state.marks.values()];
  const facts = offers.map((offer) => offerFacts(offer, state.query.filter.diskGb, fundsOf(state)));
  const width = Math.floor((state.columns - 18) / Math.max(1, offers.length)) - 2;
  return (facts[0] ?? []).map(([name], index) => ({
    name: fit(printable(name), 14),
    cells: facts.map((list) => fit(list[index]?.[1] ?? "", width)),
    role: "plain",
  }));
}
