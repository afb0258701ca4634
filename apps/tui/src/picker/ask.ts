import { step, type Step } from "./event.js";
import { beginLoad } from "./held-offers.js";
import { withRows } from "./offer-view.js";
import {
  comparatorOf,
  covers,
  EMPTY_QUERY,
  matching,
  sameOrder,
  serverFilter,
  serverQuery,
  type Query,
} from "./query.js";
import { listHeight, type PickerState } from "./state.js";
import { fieldOf } from "./text-field.js";

// A change of the question: the rows at hand are filtered and sorted at once, and the server is asked when they
// cannot hold the whole answer.

/** The state with another question. */
export function ask(state: PickerState, query: Query): Step {
  const isSameOrder = sameOrder(state.query, query);
  const offers = isSameOrder ? state.held.offers : [...state.held.offers].sort(comparatorOf(query));
  // What a longer text finds lies within what a shorter one found.
  const among = isSameOrder && isLongerText(state.query, query) ? state.view.rows : offers;
  const view = withRows(state.view, matching(among, query.filter), listHeight(state));
  const next: PickerState = { ...state, query, held: { ...state.held, offers }, view };
  return covers(state.held.filter, serverFilter(query.filter)) ? step(next) : load(next);
}

/** The state with a load of its question under way. */
export function load(state: PickerState): Step {
  const { query, held, nowMs } = state;
  const loading = { ...state, held: beginLoad(held, serverFilter(query.filter), nowMs) };
  return step(loading, { kind: "load", query: serverQuery(query) });
}

/** The state with the rows that its offers and its question make. */
export function refreshRows(state: PickerState): PickerState {
  const rows = matching(state.held.offers, state.query.filter);
  return { ...state, view: withRows(state.view, rows, listHeight(state)) };
}

/** Every filter gone, the text of the field too. The order stays. */
export function clearAll(state: PickerState): Step {
  return ask({ ...state, field: fieldOf(""), facetDraft: undefined }, { ...state.query, filter: EMPTY_QUERY.filter });
}

function isLongerText(before: Query, after: Query): boolean {
  const { text: shorter = "", ...others } = before.filter;
  const { text: longer = "", ...same } = after.filter;
  return longer.startsWith(shorter) && JSON.stringify(others) === JSON.stringify(same);
}
