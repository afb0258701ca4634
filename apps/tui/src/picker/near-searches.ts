import { nearSearches, searchCatalogOf, type NearSearch } from "@gpu-offers/domain";
import { matching } from "@gpu-offers/list";
import { readingsOf } from "../catalog/matches.js";
import type { PickerState } from "./state.js";

// Similar texts with matches, for a text that has none. Finding them takes longer than a key may, so they are looked for
// once no key was pressed for a while.

/** The state with similar texts, if nothing matches and they aren't known yet. */
export function withNear(state: PickerState): PickerState {
  const { query, view, loaded, near } = state;
  const { search, ...others } = query.filter;
  if (search === undefined || view.offers.length > 0 || loaded.load.kind !== "ready" || near?.query === query) {
    return state;
  }
  const catalog = searchCatalogOf(matching(loaded.offers, others));
  return { ...state, near: { query, found: nearSearches(search.text, catalog) } };
}

/** The similar texts of the current query, as far as known. */
export function nearOf({ near, query }: PickerState): readonly NearSearch[] {
  return near?.query === query ? near.found : [];
}

/** How the words of the current query are read, and which are unknown, in sentences. */
export function readingsIn({ loaded, query }: Pick<PickerState, "loaded" | "query">): string[] {
  return readingsOf(loaded.offers, query);
}
