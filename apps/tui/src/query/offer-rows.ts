import type { Offer } from "@gpu-offers/domain";

// The rows of a list. On real catalogs most offers look like another one: the same machine at the same price in many
// regions. Those are one row, which opens.

/** A row of a list. */
export interface OfferRow {
  /** The offer; of a group, the first one in the order of the list. */
  offer: Offer;
  /** All offers of a group; undefined where the row is one offer. */
  places?: readonly Offer[];
  /** It stands below its open group. */
  isMember?: true;
}

/** What offers that differ in their region alone have in common. */
export function kindOf(offer: Offer): string {
  const { id: _, region: __, regionInfo: ___, ...kind } = offer;
  return JSON.stringify(kind);
}

/**
 * The rows of offers in an order that keeps equal prices together, as every order of the picker does. A group stands
 * where the first of its offers would.
 * @param open Kinds ({@link kindOf}) of the groups that are open.
 */
export function rowsOf(offers: readonly Offer[], open: ReadonlySet<string>): OfferRow[] {
  const rows: OfferRow[] = [];
  let start = 0;
  while (start < offers.length) {
    const end = endOfPrice(offers, start);
    const first = offers[start];
    if (end - start > 1) {
      addGroups(rows, offers.slice(start, end), open);
    } else if (first !== undefined) {
      rows.push({ offer: first });
    }
    start = end;
  }
  return rows;
}

function endOfPrice(offers: readonly Offer[], start: number): number {
  const price = offers[start]?.priceHourly;
  const count = offers[start]?.gpuCount;
  let end = start + 1;
  while (end < offers.length && offers[end]?.priceHourly === price && offers[end]?.gpuCount === count) {
    end++;
  }
  return end;
}

function addGroups(rows: OfferRow[], offers: readonly Offer[], open: ReadonlySet<string>): void {
  for (const [kind, places] of Map.groupBy(offers, kindOf)) {
    const [offer, ...others] = places;
    if (offer === undefined) {
      continue;
    }
    rows.push(others.length === 0 ? { offer } : { offer, places });
    if (others.length > 0 && open.has(kind)) {
      rows.push(...places.map((member): OfferRow => ({ offer: member, isMember: true })));
    }
  }
}

/** Whether an offer is shown by a row: as itself, or as one of its group. */
export function holds(row: OfferRow, id: string): boolean {
  return row.offer.id === id || row.places?.some((place) => place.id === id) === true;
}
