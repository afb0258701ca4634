import {
  storageOf,
  isPricedFromBelow,
  isSoldOut,
  present,
  type ListedOffer,
  type ListingIndex,
  type Offer,
} from "@gpu-offers/domain";
import { ListingKinds, listingRows } from "@gpu-offers/list";
import type { OfferRow } from "../output/layout.js";
import { pricedFor, type Found } from "./found.js";
import type { LoadedOffers } from "./loaded-offers.js";

// The matching offers, their rows, the cursor, and the visible range.

export interface OfferView {
  offers: readonly ListedOffer[];
  /** Their rows. Groups of offers that differ only in region are one row until opened. */
  rows: readonly OfferRow[];
  /** The open groups, by {@link groupOf}. */
  open: ReadonlySet<string>;
  /** Index of the row under the cursor; 0 in an empty list. */
  cursor: number;
  /** Index of the first row on the screen. */
  top: number;
  /** Number of offers that are sold out, which come last. */
  unavailable: number;
  /** Indexes of the rows below dividers; 0 for those that the screen doesn't have. */
  dividers: Readonly<Record<Divider, number>>;
}

/**
 * A line between rows, by the first row below it: one that is sold out, or before those, one that is sorted by a lower bound
 * and so follows lower and higher prices.
 */
export type Divider = (typeof DIVIDERS)[number];

const DIVIDERS = ["unavailable", "lowerBounds"] as const;

export function emptyView(): OfferView {
  return {
    offers: [],
    rows: [],
    open: new Set(),
    cursor: 0,
    top: 0,
    unavailable: 0,
    dividers: { unavailable: 0, lowerBounds: 0 },
  };
}

export function currentRow({ rows, cursor }: OfferView): OfferRow | undefined {
  return rows[cursor];
}

/** The offer under the cursor, or the first one of a group. */
export function currentOffer(view: OfferView): Offer | undefined {
  return currentRow(view)?.offer;
}

/** The view with its cursor on another row, scrolled only as far as necessary. */
export function moveTo(view: OfferView, index: number, height: number): OfferView {
  const cursor = clamp(index, view.rows.length - 1);
  return { ...view, cursor, top: topFor({ ...view, cursor }, Math.max(1, height)) };
}

/** The view with other matches. The cursor stays on its offer by id, or near its position if that is gone. */
export function withMatches(view: OfferView, loaded: Matched, found: Found, height: number): OfferView {
  const offers = Array.from(found.positions, (at) => pricedFor(present(loaded.offers[at]), found));
  return withRows({ ...view, offers, unavailable: offers.filter(isSoldOut).length }, loaded, found, height);
}

/** The view with the group of an offer opened, or closed. */
export function withToggledGroup(
  view: OfferView,
  offer: Offer,
  loaded: Matched,
  found: Found,
  height: number,
): OfferView {
  return withRows({ ...view, open: withToggled(view.open, groupOf(offer)) }, loaded, found, height);
}

/** The group of an offer: offers that differ only in id and region, and in what their prices depend on. */
export function groupOf({ gpu, provider, gpuCount, priceHourly, specs, listing, ...offer }: ListedOffer): string {
  const { deploymentType, interconnect } = offer;
  const { instanceType, seller, verified } = listing ?? {};
  const machine = [gpu.slug, gpuCount, specs.vcpu, specs.ram, specs.disk, storageOf({ ...offer, listing })];
  const terms = [deploymentType, interconnect, instanceType, seller, verified];
  return JSON.stringify([machine, priceHourly, provider.name, ...terms]);
}

type Matched = Pick<LoadedOffers, "offers" | "catalog">;

function withRows(view: OfferView, loaded: Matched, found: Found, height: number): OfferView {
  const rows = rowsOf(view, loaded, found);
  const isLowerBound = isPricedFromBelow(found.selection.sort);
  const place = placeOf(rows, currentRow(view));
  const cursor = place === -1 ? view.cursor : place;
  const dividers = {
    unavailable: firstIndex(rows, ({ offer }) => isSoldOut(offer)),
    lowerBounds: firstIndex(rows, ({ offer }) => !isSoldOut(offer) && isLowerBound(offer)),
  };
  // The row keeps its position on the screen if possible.
  const top = Math.max(0, view.top + cursor - view.cursor);
  return moveTo({ ...view, rows, dividers, top }, cursor, height);
}

const kindsByIndex = new WeakMap<ListingIndex, ListingKinds>();

function rowsOf({ open }: OfferView, { offers, catalog: { index } }: Matched, found: Found): OfferRow[] {
  const kinds = kindsByIndex.get(index) ?? new ListingKinds(index.parts);
  kindsByIndex.set(index, kinds);
  const columns = {
    index,
    kindOf: (at: number) => kinds.of(at),
    isSpot: found.selection.filter.spot !== undefined,
  };
  const offerAt = (at: number): ListedOffer => pricedFor(present(offers[at]), found);
  const isOpen = (at: number): boolean => open.size > 0 && open.has(groupOf(offerAt(at)));
  let regionLength = 0;
  return listingRows(found.positions, columns, isOpen).map(({ at, places: positions, isMember }): OfferRow => {
    const offer = offerAt(at);
    if (positions === undefined) {
      return isMember === true ? { offer, regionLength } : { offer };
    }
    const places = positions.map(offerAt);
    regionLength = places.reduce((length, { region }) => Math.max(length, region.length), 0);
    return { offer, places };
  });
}

function placeOf(rows: readonly OfferRow[], current: OfferRow | undefined): number {
  if (current === undefined) {
    return -1;
  }
  const { id } = current.offer;
  const same = rows.findIndex(
    (row) => row.offer.id === id && (row.places === undefined) === (current.places === undefined),
  );
  return same === -1
    ? rows.findIndex((row) => row.offer.id === id || row.places?.some((place) => place.id === id) === true)
    : same;
}

/** Index of the first such item; 0 if there is none, as if the list begins with it. */
export function firstIndex<Item>(items: readonly Item[], isSuch: (item: Item) => boolean): number {
  return Math.max(0, items.findIndex(isSuch));
}

/** The set with a value, or without it if it had it. */
export function withToggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set);
  return next.delete(value) ? next : next.add(value);
}

/** The first row on the screen, so that the cursor's row and the dividers above it fit. */
function topFor(view: OfferView, height: number): number {
  const { top, cursor, rows } = view;
  const near = Math.min(Math.max(top, cursor - height + 1), cursor);
  return Math.min(fitting(view, near, cursor, height), fitting(view, rows.length - height, rows.length - 1, height));
}

/** The first row from `top` on from which all lines up to the row `last` fit. */
function fitting(view: OfferView, top: number, last: number, height: number): number {
  let first = Math.max(0, top);
  while (first < last && linesOf(view, first, last + 1, height).length > height) {
    first++;
  }
  return first;
}

/** The rows from `top` to before `end`, and the dividers above them. A single line is for the row under the cursor. */
function linesOf(view: OfferView, top: number, end: number, height: number): (OfferRow | Divider)[] {
  return view.rows.slice(top, end).flatMap((row, place) => {
    const index = top + place;
    const divider = height > 1 && index > 0 ? DIVIDERS.find((one) => view.dividers[one] === index) : undefined;
    return divider === undefined ? [row] : [divider, row];
  });
}

/** The lines of the list on the screen: rows and dividers. */
export function visibleLines(view: OfferView, height: number): (OfferRow | Divider)[] {
  return linesOf(view, view.top, view.top + height, height).slice(0, height);
}

function clamp(value: number, maximum: number): number {
  return Math.max(0, Math.min(value, maximum));
}
