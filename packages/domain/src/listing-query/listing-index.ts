import type { ListingFilter } from "./listing-filter.js";
import type { FilteredListing, ListingGroup } from "./listing-parameter.js";
import type { ListingParameterName } from "./listing-parameters.js";
import {
  AVAILABLE,
  columnBuffers,
  ListingColumnsBuilder,
  type ColumnListing,
  type ListingColumnParts,
} from "./listing-columns.js";
import { ListingCursor } from "./listing-cursor.js";
import { ListingConditions, type ListingGroupColumn, type ListingOutcomes } from "./listing-conditions.js";
import { isPricedFromBelow, sortNumber, tieComparator, type PickerOrder } from "./listing-order.js";
import { countPositions, hasPosition, positionsIn, type PositionBits } from "../position-bits.js";
import { present } from "../present.js";
import { isDiskUnknown } from "../offer/storage.js";

// Evaluates listing queries over columns. It returns what filtering with matchesListing and sorting with pickerComparator
// returns; a property test compares them.

/** A page of a list: its number from 0, and its maximum size. */
export interface Page {
  page: number;
  size: number;
}

/** A query to evaluate. */
export interface ListingSelection {
  /** The filter. */
  filter: ListingFilter;
  /** The order. */
  sort: PickerOrder;
  /** The positions that the search words match; undefined without words. */
  words?: PositionBits | undefined;
}

/** The positions of a page, and what is said about the whole list. */
export interface ListingPage {
  /** Positions of the listings in the index, in order. */
  positions: Uint32Array;
  /** Number of all matches. */
  total: number;
  /** How many listings each filter alone excludes, where that is more than none. */
  excludedBy: ReadonlyMap<ListingParameterName, number>;
}

/** Maximum number of orders that are kept, each with 4 bytes for every listing: all those without a disk. */
const MAX_ORDERS = 32;

/** Columns of listings, and the order that settles equal prices. */
export class ListingIndex {
  /** The columns. */
  readonly parts: ListingColumnParts;
  readonly #conditions: ListingConditions;
  /** All positions in the orders that were requested last, see {@link ListingIndex.#orderOf}. */
  readonly #orders = new Map<string, Uint32Array>();
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

  /** Number of listings. */
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
    const total = countPositions(matches);
    const [start, end] = [page * size, (page + 1) * size];
    // A page beyond the last one needs no order.
    const count = start < total ? end : 0;
    const positions = this.#ordered(matches, filter.spot !== undefined, sort, count).slice(start, end);
    return { positions, total, excludedBy };
  }

  /** All matches in order, and what becomes of each position: whether it matches, or which filter alone excludes it. */
  evaluate({ filter, words, sort }: ListingSelection): { positions: Uint32Array; outcomes: ListingOutcomes } {
    const outcomes = this.#conditions.outcomes(filter, words);
    const order = this.#orderOf(sort, filter.spot !== undefined);
    return { positions: order.filter((at) => outcomes.codes[at] === 0), outcomes };
  }

  /** The distinct values of facts that listings share, for counting them. */
  groupOf(name: ListingGroup): ListingGroupColumn {
    return this.#conditions.groupOf(name);
  }

  /** Whether the listing at a position can be rented now. */
  isAvailable(position: number): boolean {
    return (present(this.parts.flags[position]) & AVAILABLE) !== 0;
  }

  /** The positions that match a filter. */
  matches(filter: ListingFilter): PositionBits {
    return this.#conditions.evaluate(filter, undefined).matches;
  }

  /** Number of all matches. */
  count({ filter, words }: Pick<ListingSelection, "filter" | "words">): number {
    return countPositions(this.#conditions.evaluate(filter, words).matches);
  }

  /** All matches, in order. */
  selectAll({ filter, words, sort }: ListingSelection): Uint32Array {
    const { matches } = this.#conditions.evaluate(filter, words);
    return this.#ordered(matches, filter.spot !== undefined, sort, this.size);
  }

  /** At least the first `count` of the matches in order. */
  #ordered(matches: PositionBits, isSpot: boolean, sort: PickerOrder, count: number): Uint32Array {
    if (count === 0) {
      return new Uint32Array();
    }
    // There are too many sizes of disks to sort everything for each.
    if (hasDisk(sort) && sort.sort === "total") {
      const all = positionsIn(matches);
      return this.#first(all, isSpot, sort, Math.min(all.length, count));
    }
    const all = this.#orderOf({ ...sort, diskGb: undefined }, isSpot).filter((at) => hasPosition(matches, at));
    return hasDisk(sort) ? this.#unknownDisksLast(all, sort.diskGb) : all;
  }

  /** All positions in an order, so that another page, or another filter, needs no sorting. */
  #orderOf(sort: PickerOrder, isSpot: boolean): Uint32Array {
    const disk = sort.sort === "total" ? (sort.diskGb ?? 0) : Math.sign(sort.diskGb ?? 0);
    const name = `${sort.sort} ${sort.order} ${disk} ${isSpot}`;
    const everything = (): number[] => Array.from({ length: this.size }, (_, position) => position);
    const order = this.#orders.get(name) ?? this.#first(everything(), isSpot, sort, this.size);
    // The last one used becomes the newest.
    this.#orders.delete(name);
    this.#orders.set(name, order);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > MAX_ORDERS && oldest !== undefined) {
      this.#orders.delete(oldest);
    }
    return order;
  }

  /** Positions in the order of a query without a disk, in that of the same query with one. */
  #unknownDisksLast(ordered: Uint32Array, diskGb: number | undefined): Uint32Array {
    const cursor = new ListingCursor(this.parts);
    const sections: [number[], number[], number[], number[]] = [[], [], [], []];
    for (const position of ordered) {
      cursor.at = position;
      const isUnknown = isDiskUnknown(cursor.offer, diskGb);
      sections[cursor.offer.isAvailable ? (isUnknown ? 1 : 0) : isUnknown ? 3 : 2].push(position);
    }
    return Uint32Array.from(sections.flat());
  }

  /** The first `count` of the positions in order. */
  #first(positions: readonly number[], isSpot: boolean, sort: PickerOrder, count: number): Uint32Array {
    const cursor = new ListingCursor(this.parts, isSpot);
    const ranks = this.#tieRanks(isSpot);
    const keys = new Float64Array(positions.length);
    const sections = new Uint8Array(positions.length);
    const numberOf = sortNumber(sort);
    const isLowerBound = isPricedFromBelow(sort);
    const direction = sort.order === "asc" ? 1 : -1;
    for (let index = 0; index < positions.length; index++) {
      cursor.at = present(positions[index]);
      sections[index] = (cursor.offer.isAvailable ? 0 : 2) + (isLowerBound(cursor.offer) ? 1 : 0);
      keys[index] = direction * numberOf(cursor.offer);
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

function hasDisk({ diskGb = 0 }: PickerOrder): boolean {
  return diskGb > 0;
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
