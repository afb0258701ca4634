import type { NearSearch } from "@gpu-offers/domain";
import { readingsOf, wordsOf } from "../catalog/matches.js";
import { problemText } from "../catalog/query-rejection.js";
import type { Found } from "./found.js";
import type { PickerState } from "./state.js";

// Similar texts with matches, for a text that has none. Finding them takes longer than a key may, so they are looked for
// once no key was pressed for a while.

/** The state with similar texts, if nothing matches and they aren't known yet. */
export function withNear(state: PickerState): PickerState {
  const { found, loaded, near } = state;
  const { q } = found.query;
  if (q === undefined || found.positions.length > 0 || loaded.load.kind !== "ready" || near?.found === found) {
    return state;
  }
  return { ...state, near: { found, texts: loaded.catalog.nearTo(q, found.selection) } };
}

/** The similar texts of the current query, as far as known. */
export function nearOf({ near, found }: PickerState): readonly NearSearch[] {
  return near?.found === found ? near.texts : [];
}

/** How names and words of a query are read, which are unknown, and what can't be right, in sentences. */
export function readingsIn({ query, understood, problems }: Found): string[] {
  return [...readingsOf(wordsOf(query, understood), "Read as "), ...problems.map((problem) => problemText([problem]))];
}
