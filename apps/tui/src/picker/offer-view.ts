import type { Offer } from "@gpu-offers/domain";
import { holds, OfferKinds, rowsOf, type OfferRow } from "@gpu-offers/list";

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
  divider: number;
}

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
    divider: 0,
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
export function withOffers(view: OfferView, offers: readonly Offer[], height: number): OfferView {
  const unavailable = offers.filter(({ isAvailable }) => !isAvailable).length;
  return withRows({ ...view, offers, unavailable }, rowsOf(offers, view.open, view.kinds), height);
}

/** The view with a group opened or closed. */
export function withOpen(view: OfferView, open: ReadonlySet<number>, height: number): OfferView {
  return withRows({ ...view, open }, rowsOf(view.offers, open, view.kinds), height);
}

function withRows(view: OfferView, rows: readonly OfferRow[], height: number): OfferView {
  const place = placeOf(rows, currentRow(view));
  const cursor = place === -1 ? view.cursor : place;
  const divider = Math.max(
    0,
    rows.findIndex(({ offer }) => !offer.isAvailable),
  );
  // The row keeps its position on the screen if possible.
  const shifted = { ...view, rows, divider, top: Math.max(0, view.top + cursor - view.cursor) };
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

/** The first row on the screen, which also has a line for the divider if that is before one of its rows. */
function topFor({ top, cursor, rows, divider }: OfferView, height: number): number {
  const lowest = rows.length - height;
  const near = Math.min(Math.max(top, cursor - height + 1), cursor);
  const isFull = hasDivider(divider, near, height) && divider <= cursor && cursor - near + 1 === height;
  return clamp(isFull ? near + 1 : near, hasDivider(divider, lowest, height) ? lowest + 1 : lowest);
}

/** Whether a divider is at or below the first row on the screen. A single line is for the row under the cursor. */
function hasDivider(divider: number, top: number, height: number): boolean {
  return divider > 0 && top <= divider && height > 1;
}

/** The lines of the list on the screen: rows, and the divider before the unavailable ones. */
export function visibleLines({ rows, top, divider }: OfferView, height: number): (OfferRow | "divider")[] {
  const lines: (OfferRow | "divider")[] = rows.slice(top, top + height);
  if (hasDivider(divider, top, height)) {
    lines.splice(divider - top, 0, "divider");
  }
  return lines.slice(0, height);
}

function clamp(value: number, maximum: number): number {
  return Math.max(0, Math.min(value, maximum));
}
