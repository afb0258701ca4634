import { plainOffer, type Offer } from "@gpu-offers/domain";

// The rows of a list. In real catalogs most offers are the same machine at the same price in many regions. Such offers
// are grouped in one row, which can be opened.

/** A row of a list. */
export interface OfferRow {
  /** The offer, or the first one of a group. */
  offer: Offer;
  /** All offers of a group; undefined if the row is a single offer. */
  places?: readonly Offer[];
  /** Length of the longest region of its open group, if it is below one. */
  regionLength?: number;
}

/**
 * Numbers the kinds of offers: offers that differ only in id and region have the same number. Rows are made again after
 * every key, so each offer's number is remembered.
 */
export class OfferKinds {
  readonly #numbers = new WeakMap<Offer, number>();
  readonly #kinds = new Map<string, number>();

  /** The number of an offer's kind. */
  of(offer: Offer): number {
    const known = this.#numbers.get(offer);
    if (known !== undefined) {
      return known;
    }
    const { id: _, region: __, regionInfo: ___, ...facts } = plainOffer(offer);
    const kind = JSON.stringify(Object.values(facts));
    const number = this.#kinds.get(kind) ?? this.#kinds.size;
    this.#kinds.set(kind, number);
    this.#numbers.set(offer, number);
    return number;
  }
}

/**
 * The rows of offers sorted by a price or count, so that equal prices are adjacent. A group is at the position of its
 * first offer.
 * @param open Kinds of the open groups.
 */
export function rowsOf(offers: readonly Offer[], open: ReadonlySet<number>, kinds: Pick<OfferKinds, "of">): OfferRow[] {
  const rows: OfferRow[] = [];
  let start = 0;
  while (start < offers.length) {
    const end = endOfPrice(offers, start);
    const first = offers[start];
    if (end - start > 1) {
      addGroups(rows, offers.slice(start, end), open, kinds);
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

function addGroups(
  rows: OfferRow[],
  offers: readonly Offer[],
  open: ReadonlySet<number>,
  kinds: Pick<OfferKinds, "of">,
): void {
  for (const [kind, places] of Map.groupBy(offers, (offer) => kinds.of(offer))) {
    const [offer, ...others] = places;
    if (offer === undefined) {
      continue;
    }
    rows.push(others.length === 0 ? { offer } : { offer, places });
    if (others.length > 0 && open.has(kind)) {
      const regionLength = places.reduce((length, { region }) => Math.max(length, region.length), 0);
      for (const member of [...places].sort(byPlace)) {
        rows.push({ offer: member, regionLength });
      }
    }
  }
}

function byPlace(a: Offer, b: Offer): number {
  const [placeA, placeB] = [a, b].map(({ region, regionInfo }) =>
    // Numbers in order: us-east-2 before us-east-10.
    `${regionInfo.countryCode} ${region}`.replaceAll(/\d+/g, (digits) => digits.padStart(8, "0")),
  );
  return (placeA ?? "") < (placeB ?? "") ? -1 : 1;
}

/** Whether a row shows an offer, by itself or in its group. */
export function holds(row: OfferRow, id: string): boolean {
  return row.offer.id === id || row.places?.some((place) => place.id === id) === true;
}
