import { present } from "@gpu-offers/domain";

// The rows of a list of positions in columns. Like `rowsOf`: listings that differ only in place are one row until it is opened.

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
  /** Listings of one kind differ in place and price only. */
  kinds: Uint32Array;
  gpuCount: Float64Array;
  /** Prices by position: on-demand or spot. */
  price: Float64Array;
  isAvailable: (position: number) => boolean;
}

/**
 * The rows of positions in the order of a list.
 * @param isOpen Whether the group of a position is open.
 */
export function listingRows(
  positions: Uint32Array,
  { kinds, gpuCount, price, isAvailable }: RowColumns,
  isOpen: (position: number) => boolean,
): ListingRow[] {
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
        isAvailable(next) !== isAvailable(first)
      ) {
        break;
      }
    }
    if (end - start === 1) {
      rows.push({ at: first });
    } else {
      const run = Array.from(positions.subarray(start, end));
      for (const places of Map.groupBy(run, (at) => kinds[at]).values()) {
        const at = present(places[0]);
        rows.push(places.length === 1 ? { at } : { at, places });
        if (places.length > 1 && isOpen(at)) {
          rows.push(...places.map((place): ListingRow => ({ at: place, isMember: true })));
        }
      }
    }
    start = end;
  }
  return rows;
}
