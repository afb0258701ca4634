import { present, type ListingIndex } from "@gpu-offers/domain";

// The rows of a list of positions in columns. Listings that differ only in place are one row until it is opened.

/** A row: a listing, or a group of them. */
export interface ListingRow {
  /** Position of the listing, or of the first one of the group. */
  at: number;
  /** All positions of a group, in order; undefined for a single listing. */
  places?: readonly number[];
  /** True for a listing shown in its open group. */
  isMember?: true;
}

/** What rows are made from. */
export interface RowColumns {
  index: ListingIndex;
  /** Listings of one kind differ in place, price and availability only: the number of the kind at a position. */
  kindOf: (position: number) => number;
  /** Whether prices are spot prices. */
  isSpot: boolean;
}

/** The rows of positions in the order of a list. @param isOpen Whether the group of a position is open. */
export function listingRows(
  positions: Uint32Array,
  { index, kindOf, isSpot }: RowColumns,
  isOpen: (position: number) => boolean,
): ListingRow[] {
  const { gpuCount, spotPrice, priceHourly } = index.parts.numbers;
  const price = isSpot ? spotPrice : priceHourly;
  const rows: ListingRow[] = [];
  let start = 0;
  while (start < positions.length) {
    const first = present(positions[start]);
    let end = start + 1;
    for (; end < positions.length; end++) {
      const next = present(positions[end]);
      if (
        price[next] !== price[first] ||
        gpuCount[next] !== gpuCount[first] ||
        index.availabilityAt(next) !== index.availabilityAt(first)
      ) {
        break;
      }
    }
    if (end - start === 1) {
      rows.push({ at: first });
    } else {
      const run = Array.from(positions.subarray(start, end));
      for (const places of Map.groupBy(run, kindOf).values()) {
        const at = present(places[0]);
        rows.push(places.length === 1 ? { at } : { at, places });
        if (places.length > 1 && isOpen(at)) {
          rows.push(...byPlace(index, places).map((place): ListingRow => ({ at: place, isMember: true })));
        }
      }
    }
    start = end;
  }
  return rows;
}

/** Positions by country and region, numbers in order: us-east-2 before us-east-10. */
function byPlace({ parts: { codes, values } }: ListingIndex, positions: readonly number[]): number[] {
  const texts = new Map(
    positions.map((at) => {
      const { region, regionInfo } = present(values.place[present(codes.place[at])]);
      const text = `${regionInfo.countryCode} ${region}`;
      return [at, text.replaceAll(/\d+/g, (digits) => digits.padStart(8, "0"))] as const;
    }),
  );
  return positions.toSorted((a, b) => (present(texts.get(a)) < present(texts.get(b)) ? -1 : 1));
}
