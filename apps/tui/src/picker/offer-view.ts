import type { Offer } from "@gpu-offers/domain";

// The rows that match, the row under the cursor, and which of them are on the screen.

/** A list that is looked at. */
export interface OfferView {
  rows: readonly Offer[];
  /** Index of the row under the cursor; 0 in an empty list. */
  cursor: number;
  /** Index of the first row on the screen. */
  top: number;
}

/** A list of nothing. */
export const EMPTY_VIEW: OfferView = { rows: [], cursor: 0, top: 0 };

/** The offer under the cursor. */
export function currentOffer({ rows, cursor }: OfferView): Offer | undefined {
  return rows[cursor];
}

/** The view with its cursor on another row; it scrolls no further than the edges ask for. */
export function moveTo(view: OfferView, index: number, height: number): OfferView {
  const cursor = clamp(index, view.rows.length - 1);
  return { ...view, cursor, top: topFor(view.top, cursor, view.rows.length, height) };
}

/** Other rows under the same cursor: it stays on its offer by id, or near its place when that is gone. */
export function withRows(view: OfferView, rows: readonly Offer[], height: number): OfferView {
  const id = currentOffer(view)?.id;
  const place = id === undefined ? -1 : rows.findIndex((offer) => offer.id === id);
  const cursor = place === -1 ? view.cursor : place;
  // The row keeps its height on the screen where it can: the eye is on it.
  const shifted = { ...view, rows, top: Math.max(0, view.top + cursor - view.cursor) };
  return moveTo(shifted, cursor, height);
}

function topFor(top: number, cursor: number, count: number, height: number): number {
  const room = Math.max(1, height);
  const near = Math.min(Math.max(top, cursor - room + 1), cursor);
  return clamp(near, count - room);
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
