import {
  columnBuffers,
  ListingColumnsBuilder,
  ListingCursor,
  type ColumnListing,
  type ListingColumnParts,
} from "./listing-columns.js";
import { ListingConditions } from "./listing-conditions.js";
import type { FilteredListing, ListingFilter, ListingFilterKey } from "./listing-filter.js";
import { isPricedFromBelow, sortNumber, tieComparator, type PickerOrder } from "./offer-sort.js";
import { positionsIn, type PositionBits } from "./position-bits.js";
import { present } from "./present.js";

// Evaluates listing queries over columns. It returns what filtering with matchesListing and sorting with pickerComparator
// returns; a property test compares them.

/** A page of a list: its number from 0, and its maximum size. */
export interface Page {
  page: number;
  size: number;
}

/** A query to evaluate. */
export interface ListingSelection {
  filter: ListingFilter;
  sort: PickerOrder;
  /** The positions that the search words match; undefined without words. */
  words?: PositionBits | undefined;
}

/** The positions of a page, and what is said about the whole list. */
export interface ListingPage {
  positions: Uint32Array;
  total: number;
  /** How many listings each filter alone excludes, where that is more than none. */
  excludedBy: ReadonlyMap<ListingFilterKey, number>;
}

/** Columns of listings, and the order that settles equal prices. */
export class ListingIndex {
  readonly parts: ListingColumnParts;
  readonly #conditions: ListingConditions;
  /** By the name of the order, see {@link ListingIndex.#sortKeys}. */
  readonly #keys = new Map<string, Float64Array>();
  /** Rank of each position among equals, by on-demand prices and by spot prices. Made when first needed. */
  readonly #ranks: [Uint32Array | undefined, Uint32Array | undefined] = [undefined, undefined];

  constructor(parts: ListingColumnParts) {
    this.parts = parts;
    this.#conditions = new ListingConditions(parts);
  }

  /** An index over listings, whose positions are those of the input. */
  static of(listings: Iterable<ColumnListing>): ListingIndex {
    const builder = new ListingColumnsBuilder();
    for (const listing of listings) {
      builder.add(listing);
    }
    return new ListingIndex(builder.build());
  }

  get size(): number {
    return this.parts.size;
  }

  /** The memory of the columns, for transferring them to another thread. */
  get buffers(): ArrayBuffer[] {
    return columnBuffers(this.parts);
  }

  /** The listing at a position, without what isn't filtered or sorted by. */
  listingAt(position: number): FilteredListing {
    const cursor = new ListingCursor(this.parts);
    cursor.at = position;
    return cursor.listing;
  }

  /** A page of the matches, in order. */
  select({ filter, words, sort }: ListingSelection, { page, size }: Page): ListingPage {
    const { matches, excludedBy } = this.#conditions.evaluate(filter, words);
    const all = positionsIn(matches);
    const total = all.length;
    const end = Math.min(total, (page + 1) * size);
    const start = page * size;
    const isSpot = filter.spot !== undefined;
    const positions = start >= total ? new Uint32Array() : this.#first(all, isSpot, sort, end).subarray(start);
    return { positions, total, excludedBy };
  }

  /** All matches, in order. */
  selectAll({ filter, words, sort }: ListingSelection): Uint32Array {
    const all = positionsIn(this.#conditions.evaluate(filter, words).matches);
    return this.#first(all, filter.spot !== undefined, sort, all.length);
  }

  /** What to sort by, for every position; made once for each order that doesn't depend on a disk. */
  #sortKeys(sort: PickerOrder, isSpot: boolean): (position: number) => number {
    const numberOf = sortNumber(sort);
    const cursor = new ListingCursor(this.parts, isSpot);
    const read = (position: number): number => {
      cursor.at = position;
      return numberOf(cursor.offer);
    };
    if (sort.sort === "total" && (sort.diskGb ?? 0) > 0) {
      return read;
    }
    const name = `${sort.sort} ${sort.order} ${isSpot}`;
    let keys = this.#keys.get(name);
    if (keys === undefined) {
      keys = Float64Array.from({ length: this.size }, (_, position) => read(position));
      this.#keys.set(name, keys);
    }
    const known = keys;
    return (position) => present(known[position]);
  }

  /** The first `count` of the positions in order. */
  #first(positions: readonly number[], isSpot: boolean, sort: PickerOrder, count: number): Uint32Array {
    const cursor = new ListingCursor(this.parts, isSpot);
    const ranks = this.#tieRanks(isSpot);
    const keys = new Float64Array(positions.length);
    const sections = new Uint8Array(positions.length);
    const numberOf = this.#sortKeys(sort, isSpot);
    const isLowerBound = isPricedFromBelow(sort);
    const direction = sort.order === "asc" ? 1 : -1;
    for (let index = 0; index < positions.length; index++) {
      const position = present(positions[index]);
      cursor.at = position;
      sections[index] = (cursor.offer.isAvailable ? 0 : 2) + (isLowerBound(cursor.offer) ? 1 : 0);
      keys[index] = direction * numberOf(position);
    }
    const before = (a: number, b: number): boolean => {
      const bySection = present(sections[a]) - present(sections[b]);
      if (bySection !== 0) {
        return bySection < 0;
      }
      const keyA = present(keys[a]);
      const keyB = present(keys[b]);
      return keyA === keyB
        ? present(ranks[present(positions[a])]) < present(ranks[present(positions[b])])
        : keyA < keyB;
    };
    return smallest(positions.length, count, before).map((index) => present(positions[index]));
  }

  #tieRanks(isSpot: boolean): Uint32Array {
    const kind = isSpot ? 1 : 0;
    const known = this.#ranks[kind];
    if (known !== undefined) {
      return known;
    }
    const a = new ListingCursor(this.parts, isSpot);
    const b = new ListingCursor(this.parts, isSpot);
    const order = Uint32Array.from({ length: this.size }, (_, position) => position).sort((one, other) => {
      a.at = one;
      b.at = other;
      return tieComparator(a.offer, b.offer);
    });
    const ranks = new Uint32Array(this.size);
    for (const [rank, position] of order.entries()) {
      ranks[position] = rank;
    }
    this.#ranks[kind] = ranks;
    return ranks;
  }
}

/**
 * The `count` smallest of the indices from 0 to `size`, in order: a heap of the best so far, whose root is the worst of them.
 */
function smallest(size: number, count: number, before: (a: number, b: number) => boolean): Uint32Array {
  if (count * 4 > size) {
    const all = Uint32Array.from({ length: size }, (_, index) => index);
    return all.sort((a, b) => (before(a, b) ? -1 : 1)).subarray(0, count);
  }
  const heap = new Uint32Array(count);
  let filled = 0;
  const sink = (from: number): void => {
    let parent = from;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= filled) {
        return;
      }
      if (child + 1 < filled && before(present(heap[child]), present(heap[child + 1]))) {
        child++;
      }
      const [top, below] = [present(heap[parent]), present(heap[child])];
      if (!before(top, below)) {
        return;
      }
      heap[parent] = below;
      heap[child] = top;
      parent = child;
    }
  };
  for (let index = 0; index < size; index++) {
    if (filled < count) {
      let child = filled;
      heap[filled++] = index;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        const [top, below] = [present(heap[parent]), present(heap[child])];
        if (!before(top, below)) {
          break;
        }
        heap[parent] = below;
        heap[child] = top;
        child = parent;
      }
    } else if (count > 0 && before(index, present(heap[0]))) {
      heap[0] = index;
      sink(0);
    }
  }
  return heap.subarray(0, filled).sort((a, b) => (before(a, b) ? -1 : 1));
}
