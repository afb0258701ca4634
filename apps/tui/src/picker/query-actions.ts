import { atSearchedPrice, type ListFilter, type Offer, type OfferSearch, type SearchWishes } from "@gpu-offers/domain";
import { covers, matching, sameOrder, serverFilter, serverQuery, withFilter, type Query } from "@gpu-offers/list";
import { arranged, asksForSpot } from "../catalog/arranged.js";
import { step, type Step } from "./event.js";
import { beginLoad } from "./loaded-offers.js";
import { moveTo, withOffers } from "./offer-view.js";
import { listHeight, type PickerState } from "./state.js";
import { withKnownImages } from "./provider-images.js";
import { fieldOf, type TextField } from "./text-field.js";

// Changes of the query. Loaded offers are filtered and sorted at once, and the server is only queried if they can't
// contain all matches.

/** The state with another query, and what its words newly wish for. */
export function setQuery(state: PickerState, given: Query): Step {
  const { offers: before } = state.loaded;
  const query = withNewWishes(given, state.query.filter.search, before);
  const isSpot = asksForSpot(before, query);
  const isSamePrice = isSpot === asksForSpot(before, state.query);
  const offers = isSamePrice && sameOrder(state.query, query) ? before : arranged(before, query);
  const marks = isSamePrice
    ? state.marks
    : new Map([...state.marks].map(([id, offer]) => [id, atSearchedPrice(offer, isSpot)]));
  const view = withOffers(state.view, matching(offers, query.filter), query, listHeight(state));
  const next: PickerState = { ...state, query, loaded: { ...state.loaded, offers }, marks, view };
  return covers(state.loaded.filter, serverFilter(query.filter)) ? widenIfEmpty(next) : load(next);
}

/**
 * The query with what its words wish for and the words before didn't. As the latest word it wins over the order. The disk
 * is that of the words unless another was set.
 */
function withNewWishes(query: Query, before: OfferSearch | undefined, offers: readonly Offer[]): Query {
  const { search, diskGb } = query.filter;
  if (search === before) {
    return query;
  }
  const old = wishesOf(before, offers);
  const wished = wishesOf(search, offers);
  const filter = diskGb === old.diskGb ? withFilter(query.filter, "diskGb", wished.diskGb) : query.filter;
  return wished.sortBy === undefined || wished.sortBy === old.sortBy
    ? { ...query, filter }
    : { filter, sort: wished.sortBy, order: "asc" };
}

function wishesOf(search: OfferSearch | undefined, offers: readonly Offer[]): SearchWishes {
  return search?.among(offers).parsed.wishes ?? {};
}

/** The state with a load in progress: of its query, or of more of the catalog. */
export function load(state: PickerState, filter: ListFilter = serverFilter(state.query.filter)): Step {
  const { query, loaded, nowMs } = state;
  const loading = { ...state, loaded: beginLoad(loaded, filter, nowMs) };
  return step(loading, { kind: "load", query: serverQuery(query, filter) });
}

/**
 * Loads the whole catalog unless it is loaded. Counting what a filter excludes, or what another value of it would
 * show, requires the offers that the server filtered out.
 */
export function widen(state: PickerState): Step {
  return Object.keys(state.loaded.filter).length === 0 ? step(state) : load(state, {});
}

/** {@link widen}, if a complete response has no matches. */
export function widenIfEmpty(state: PickerState): Step {
  return state.view.offers.length === 0 && state.loaded.load.kind === "ready" ? widen(state) : step(state);
}

/** The step with the cursor on the first row. */
export function atTop({ state, commands }: Step): Step {
  return step({ ...state, view: moveTo(state.view, 0, listHeight(state)) }, ...commands);
}

/** The state with rows computed from its offers and query. */
export function refreshRows(state: PickerState): PickerState {
  const offers = matching(state.loaded.offers, state.query.filter);
  return { ...state, view: withOffers(state.view, offers, state.query, listHeight(state)) };
}

/** The state with a filter text. While the user types, the cursor is on the best match, the first one. */
export function setText(state: PickerState, field: TextField, search: OfferSearch | undefined): Step {
  const known = search === undefined ? undefined : withKnownImages(search, state);
  const filter = withFilter(state.query.filter, "search", known);
  return atTop(setQuery({ ...state, field }, { ...state.query, filter }));
}

/** Clears all filters including the text, and the requested image. The order stays. */
export function clearAll(state: PickerState): Step {
  return setQuery(
    { ...state, field: fieldOf(""), facetDraft: undefined, wantedImageId: undefined },
    { ...state.query, filter: {} },
  );
}
