import {
  columnBuffers,
  ListingColumnsBuilder,
  ListingCursor,
  type ColumnListing,
  type ListingColumnParts,
  type SharedKey,
} from "./listing-columns.js";
import { conditionsOf, type FilteredListing, type ListingFilter, type ListingFilterKey } from "./listing-filter.js";
import { isPricedFromBelow, sortNumber, tieComparator, type PickerOrder } from "./offer-sort.js";
import { present } from "./present.js";

// Evaluates listing queries over columns. It returns what filtering with matchesListing and sorting with pickerComparator
// returns; a property test compares them.

/** A page of a list: its number from 0, and its maximum size. */
export interface Page {
  page: number;
  size: number;
}

/** What search words match: a bit for each position. */
export type PositionBits = Uint32Array;

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
  /** If nothing matches: how many match without each filter alone, where that is more than none. */
  excludedBy?: ReadonlyMap<ListingFilterKey, number>;
}

/** The matches of a query, in no order. */
interface Matches {
  positions: Uint32Array;
  cursor: ListingCursor;
}

/** Columns of listings, and the order that settles equal prices. */
export class ListingIndex {
  readonly parts: ListingColumnParts;
  /** By the name of the order, see {@link ListingIndex.#sortKeys}. */
  readonly #keys = new Map<string, Float64Array>();
  /** Rank of each position among equals, by on-demand prices and by spot prices. Made when first needed. */
  readonly #ranks: [Uint32Array | undefined, Uint32Array | undefined] = [undefined, undefined];

  constructor(parts: ListingColumnParts) {
    this.parts = parts;
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
  select(selection: ListingSelection, { page, size }: Page): ListingPage {
    const matches = this.#matches(selection);
    const total = matches.positions.length;
    const end = Math.min(total, (page + 1) * size);
    const start = page * size;
    const positions = start >= total ? new Uint32Array() : this.#first(matches, selection.sort, end).subarray(start);
    return total === 0 ? { positions, total, excludedBy: this.#excludedBy(selection) } : { positions, total };
  }

  /** Number of listings that one filter alone excludes. */
  countExcluded({ filter, words }: ListingSelection, excluding: ListingFilterKey): number {
    const cursor = new ListingCursor(this.parts, filter.spot !== undefined);
    const conditions = this.#compile(filter, cursor);
    const others = conditions.filter(({ key }) => key !== excluding);
    const own = conditions.find(({ key }) => key === excluding);
    if (own === undefined) {
      return 0;
    }
    let count = 0;
    for (let at = 0; at < this.size; at++) {
      cursor.at = at;
      if (!own.holds(at) && (words === undefined || isSet(words, at)) && others.every(({ holds }) => holds(at))) {
        count++;
      }
    }
    return count;
  }

  /** All matches, in order. */
  selectAll(selection: ListingSelection): Uint32Array {
    const matches = this.#matches(selection);
    return this.#first(matches, selection.sort, matches.positions.length);
  }

  #matches({ filter, words }: ListingSelection): Matches {
    const cursor = new ListingCursor(this.parts, filter.spot !== undefined);
    const conditions = this.#compile(filter, cursor);
    const positions = new Uint32Array(this.size);
    let found = 0;
    for (let at = 0; at < this.size; at++) {
      if (words !== undefined && !isSet(words, at)) {
        continue;
      }
      cursor.at = at;
      if (conditions.every(({ holds }) => holds(at))) {
        positions[found++] = at;
      }
    }
    return { positions: positions.subarray(0, found), cursor };
  }

  /**
   * The conditions of a filter apart from the words, which have bits. Those on a shared value are decided once for all
   * listings that share it. The cursor must be at the position.
   */
  #compile(filter: ListingFilter, cursor: ListingCursor): { key: ListingFilterKey; holds: (at: number) => boolean }[] {
    return conditionsOf({ ...filter, search: undefined }).map(({ key, holds }) => {
      const shared = DEPENDS_ON[key];
      if (shared === undefined) {
        return { key, holds: key === "fits" ? this.#decideFits(holds, cursor) : () => holds(cursor) };
      }
      const codes = this.parts.codes[shared];
      const decided = Uint8Array.from(this.parts.firsts[shared], (first) => {
        cursor.at = first;
        return holds(cursor) ? 1 : 0;
      });
      return { key, holds: (at) => decided[present(codes[at])] === 1 };
    });
  }

  /** Whether a model fits depends on GPU, count and NVLink, which thousands of listings have in common. */
  #decideFits(holds: (listing: FilteredListing) => boolean, cursor: ListingCursor): (at: number) => boolean {
    const decided = new Map<number, boolean>();
    const codes = this.parts.codes.gpu;
    return (at) => {
      const { gpuCount, nvlinkEnabled } = cursor.offer;
      const key = (gpuCount * 2 + Number(nvlinkEnabled)) * this.parts.values.gpu.length + present(codes[at]);
      let result = decided.get(key);
      if (result === undefined) {
        result = holds(cursor);
        decided.set(key, result);
      }
      return result;
    };
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

  /** The first `count` matches in order. */
  #first({ positions, cursor }: Matches, sort: PickerOrder, count: number): Uint32Array {
    const isSpot = cursor.isSpot;
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

  /** For each filter, the number of listings that fail it alone. */
  #excludedBy({ filter, words }: ListingSelection): Map<ListingFilterKey, number> {
    const cursor = new ListingCursor(this.parts, filter.spot !== undefined);
    const conditions = this.#compile(filter, cursor);
    const counts = new Map<ListingFilterKey, number>();
    for (let at = 0; at < this.size; at++) {
      cursor.at = at;
      let failed: ListingFilterKey | undefined = words === undefined || isSet(words, at) ? undefined : "search";
      let isSole = true;
      for (const { key, holds } of conditions) {
        if (!holds(at)) {
          isSole = failed === undefined;
          failed ??= key;
          if (!isSole) {
            break;
          }
        }
      }
      if (failed !== undefined && isSole) {
        counts.set(failed, (counts.get(failed) ?? 0) + 1);
      }
    }
    return counts;
  }
}

/** What conditions depend on, if it is only one of the values that many listings share. */
const DEPENDS_ON: Partial<Record<ListingFilterKey, SharedKey>> = {
  gpu: "gpu",
  minVramGb: "gpu",
  minBandwidthGBs: "gpu",
  provider: "provider",
  continent: "place",
  country: "place",
  region: "place",
  deploymentType: "terms",
  interconnect: "terms",
  seller: "terms",
  verified: "terms",
  instanceType: "instanceType",
};

function isSet(bits: PositionBits, position: number): boolean {
  return ((present(bits[position >>> 5]) >>> (position & 31)) & 1) === 1;
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
