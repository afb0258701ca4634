import { isPricedFromBelow, type Offer } from "@gpu-offers/domain";
import { holds, OfferKinds, rowsOf, type OfferRow, type Query } from "@gpu-offers/list";

// The matching offers, their rows, the cursor, and the visible range.

/** View of a list. */
export interface OfferView {
  /** The matching offers, in order. */
  offers: readonly Offer[];
  /** Their rows. Groups of offers that differ only in region are one row until opened. */
  rows: readonly OfferRow[];
  /** Kinds of the open groups. */
  open: ReadonlySet<number>;
  /** Numbers of the kinds, for the whole session. */
  kinds: OfferKinds;
  /** Index of the row under the cursor; 0 in an empty list. */
  cursor: number;
  /** Index of the first row on the screen. */
  top: number;
  /** Number of unavailable offers, which come last. */
  unavailable: number;
  /** Index of the first unavailable row, before which the screen has a divider; 0 if there is none. */
  unavailableFrom: number;
  /** The same for the first available row that is sorted by a lower bound, and so follows lower and higher prices. */
  lowerBoundsFrom: number;
}

/** A line between rows: what the rows below it are. */
export type Divider = "unavailable" | "lowerBounds";

/** An empty list. */
export function emptyView(): OfferView {
  return {
    offers: [],
    rows: [],
    open: new Set(),
    kinds: new OfferKinds(),
    cursor: 0,
    top: 0,
    unavailable: 0,
    unavailableFrom: 0,
    lowerBoundsFrom: 0,
  };
}

/** The row under the cursor. */
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

/** The view with other offers. The cursor stays on its offer by id, or near its position if that is gone. */
export function withOffers(view: OfferView, offers: readonly Offer[], query: Query, height: number): OfferView {
  const unavailable = offers.filter(({ isAvailable }) => !isAvailable).length;
  return withRows({ ...view, offers, unavailable }, query, height);
}

/** The view with a group opened or closed. */
export function withOpen(view: OfferView, open: ReadonlySet<number>, query: Query, height: number): OfferView {
  return withRows({ ...view, open }, query, height);
}

function withRows(view: OfferView, { sort, filter: { diskGb } }: Query, height: number): OfferView {
  const rows = rowsOf(view.offers, view.open, view.kinds);
  const isLowerBound = isPricedFromBelow({ sort, diskGb });
  const place = placeOf(rows, currentRow(view));
  const cursor = place === -1 ? view.cursor : place;
  const unavailableFrom = firstIndex(rows, ({ isAvailable }) => !isAvailable);
  const lowerBoundsFrom = firstIndex(rows, (offer) => offer.isAvailable && isLowerBound(offer));
  // The row keeps its position on the screen if possible.
  const shifted = {
    ...view,
    rows,
    unavailableFrom,
    lowerBoundsFrom,
    top: Math.max(0, view.top + cursor - view.cursor),
  };
  return moveTo(shifted, cursor, height);
}

function placeOf(rows: readonly OfferRow[], current: OfferRow | undefined): number {
  if (current === undefined) {
    return -1;
  }
  const { id } = current.offer;
  const same = rows.findIndex(
    (row) => row.offer.id === id && (row.places === undefined) === (current.places === undefined),
  );
  return same === -1 ? rows.findIndex((row) => holds(row, id)) : same;
}

/** Index of the first such row; 0 if there is none, as if the list begins with it. */
function firstIndex(rows: readonly OfferRow[], isSuch: (offer: Offer) => boolean): number {
  return Math.max(
    0,
    rows.findIndex(({ offer }) => isSuch(offer)),
  );
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
    const divider = height > 1 ? dividerAt(view, top + place) : undefined;
    return divider === undefined ? [row] : [divider, row];
  });
}

function dividerAt({ unavailableFrom, lowerBoundsFrom }: OfferView, index: number): Divider | undefined {
  return index === 0
    ? undefined
    : index === unavailableFrom
      ? "unavailable"
      : index === lowerBoundsFrom
        ? "lowerBounds"
        : undefined;
}

/** The lines of the list on the screen: rows and dividers. */
export function visibleLines(view: OfferView, height: number): (OfferRow | Divider)[] {
  return linesOf(view, view.top, view.top + height, height).slice(0, height);
}

function clamp(value: number, maximum: number): number {
  return Math.max(0, Math.min(value, maximum));
}
