import type { ListingFilter } from "./listing-filter.js";
import type { FilteredListing } from "./listing-parameter.js";
import type { ListingParameterName } from "./listing-parameters.js";
import {
  availabilityIn,
  compareIds,
  ListingColumnsBuilder,
  type ColumnListing,
  type ListingColumnParts,
} from "../columns/listing-columns.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import { evaluateConditions, outcomesOf, type ListingOutcomes } from "./listing-conditions.js";
import { ListingGroups, type PreparedGroups } from "../columns/listing-groups.js";
import { READ_AT_ONCE, sortingByNumbers } from "./sorted-by-numbers.js";
import { compareTies, isPricedFromBelow, sortNumber, TIE_NUMBERS, type PickerOrder } from "./listing-order.js";
import { countPositions, hasPosition, type PositionBits } from "../position-bits.js";
import type { Availability } from "../offer/availability.js";
import { finished } from "../finished.js";
import { present } from "../present.js";

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

/** What is made of columns before the first query: plain data, which one thread can transfer to another. */
export interface PreparedIndex {
  /** Groups of positions with equal facts. */
  groups: PreparedGroups;
  /** All positions in the orders by name, see {@link ListingIndex.prepare}. */
  orders: Map<string, Uint32Array<ArrayBuffer>>;
}

const USUAL_ORDER: PickerOrder = { sort: "pricePerGpu", order: "asc" };

/** Columns of listings, and the order that settles equal prices. */
export class ListingIndex {
  /** The columns. */
  readonly parts: ListingColumnParts;
  /** Their facts in groups. */
  readonly groups: ListingGroups;
  /**
   * All positions in each order that was requested, 4 bytes each. There are 32 of them: those by prices with a disk
   * aren't kept, but for the last one of a person.
   */
  readonly #orders: Map<string, Order>;
  /** The name of the last order by a price with a disk. */
  #diskOrder: string | undefined;

  /** @param prepared what {@link ListingIndex.prepare} made of the same columns. */
  constructor(parts: ListingColumnParts, prepared?: PreparedIndex) {
    this.parts = parts;
    this.groups = new ListingGroups(parts, prepared?.groups);
    this.#orders = new Map(prepared?.orders);
  }

  /** What would take long in the first query: groups of facts, the usual order, and the orders of equal prices. */
  prepare(): PreparedIndex {
    const groups = this.groups.prepare();
    finished(this.#orderOf(USUAL_ORDER, false));
    finished(this.#ties(true));
    return { groups, orders: this.#orders };
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

  /** The listing at a position, without what isn't filtered or sorted by. */
  listingAt(position: number): FilteredListing {
    const cursor = new ListingCursor(this.parts);
    cursor.at = position;
    return cursor.listing;
  }

  /** A page of the matches, in order. */
  select(selection: ListingSelection, page: Page): ListingPage {
    return finished(this.selecting(selection, page));
  }

  /** {@link ListingIndex.select} in slices: where an order has to be made, other work may run whenever it yields. */
  *selecting({ filter, words, sort }: ListingSelection, { page, size }: Page): Generator<void, ListingPage> {
    const { matches, excludedBy } = evaluateConditions(this.groups, filter, words);
    const total = countPositions(matches);
    const [start, end] = [page * size, (page + 1) * size];
    // A page beyond the last one needs no order.
    const positions =
      start < total
        ? yield* this.#ordered((at) => hasPosition(matches, at), filter.spot !== undefined, sort, end)
        : new Uint32Array();
    return { positions: positions.slice(start, end), total, excludedBy };
  }

  /** All matches in order, and what becomes of each position: whether it matches, or which filter alone excludes it. */
  evaluate({ filter, words, sort }: ListingSelection): { positions: Uint32Array; outcomes: ListingOutcomes } {
    const outcomes = outcomesOf(this.groups, filter, words);
    const isSpot = filter.spot !== undefined;
    if (hasDiskPrice(sort)) {
      // Somebody who types a filter keeps the disk.
      this.#keepDiskOrder(sort, isSpot);
    }
    const matches = (at: number): boolean => outcomes.codes[at] === 0;
    return { positions: finished(this.#ordered(matches, isSpot, sort)), outcomes };
  }

  /** Whether the listing at a position can be had. */
  availabilityAt(position: number): Availability {
    return availabilityIn(present(this.parts.flags[position]));
  }

  /** The positions that match a filter. */
  matches(filter: ListingFilter): PositionBits {
    return evaluateConditions(this.groups, filter, undefined).matches;
  }

  /** Number of all matches. */
  count({ filter, words }: Pick<ListingSelection, "filter" | "words">): number {
    return countPositions(evaluateConditions(this.groups, filter, words).matches);
  }

  /** All matches, in order. */
  selectAll(selection: ListingSelection): Uint32Array {
    return this.select(selection, { page: 0, size: this.size }).positions;
  }

  /** The matches in order, or the first of them. */
  *#ordered(
    matches: (at: number) => boolean,
    isSpot: boolean,
    sort: PickerOrder,
    count = this.size,
  ): Generator<void, Uint32Array> {
    if (hasDiskPrice(sort)) {
      // There are too many sizes of disks to keep an order for each.
      const kept = this.#orders.get(nameOf(sort, isSpot));
      return kept === undefined
        ? yield* this.#sorting((yield* this.#ties(isSpot)).filter(matches), isSpot, sort)
        : firstOf(kept, matches, count);
    }
    const order = yield* this.#orderOf({ ...sort, diskGb: undefined }, isSpot);
    if ((sort.diskGb ?? 0) === 0) {
      return firstOf(order, matches, count);
    }
    const cursor = new ListingCursor(this.parts, isSpot);
    return yield* dividing(order.filter(matches), cursor, isPricedFromBelow(sort));
  }

  /** All positions in an order, so that another page, or another filter, needs no sorting. */
  *#orderOf(sort: PickerOrder, isSpot: boolean): Generator<void, Order> {
    const name = nameOf(sort, isSpot);
    const order = this.#orders.get(name) ?? (yield* this.#sorting(yield* this.#ties(isSpot), isSpot, sort));
    this.#orders.set(name, order);
    return order;
  }

  #keepDiskOrder(sort: PickerOrder, isSpot: boolean): void {
    const name = nameOf(sort, isSpot);
    if (this.#diskOrder !== undefined && this.#diskOrder !== name) {
      this.#orders.delete(this.#diskOrder);
    }
    this.#diskOrder = name;
    finished(this.#orderOf(sort, isSpot));
  }

  /** Sorts positions that are in the order of equal prices. */
  *#sorting(tied: Order, isSpot: boolean, sort: PickerOrder): Generator<void, Order> {
    const cursor = new ListingCursor(this.parts, isSpot);
    const numberOf = sortNumber(sort);
    const direction = sort.order === "asc" ? 1 : -1;
    const sorted = yield* sortingByNumbers(tied, (at) => {
      cursor.at = at;
      return direction * numberOf(cursor.offer);
    });
    return yield* dividing(sorted, cursor, isPricedFromBelow(sort));
  }

  /** All positions in the order of offers that are equal by what a list is sorted by. */
  *#ties(isSpot: boolean): Generator<void, Order> {
    const { spotPrice } = this.parts.numbers;
    const isDifferent = isSpot && spotPrice.some((price) => !Number.isNaN(price));
    const name = `ties ${isDifferent}`;
    const order = this.#orders.get(name) ?? (yield* this.#sortingTies(isDifferent));
    this.#orders.set(name, order);
    return order;
  }

  *#sortingTies(isSpot: boolean): Generator<void, Order> {
    const [one, other] = [new ListingCursor(this.parts, isSpot), new ListingCursor(this.parts, isSpot)];
    let order = new Uint32Array(this.size).map((_, at) => at);
    for (const numberOf of TIE_NUMBERS.toReversed()) {
      order = yield* sortingByNumbers(order, (at) => {
        one.at = at;
        return numberOf(one.offer);
      });
    }
    let start = 0;
    for (let end = 1; end <= order.length; end++) {
      one.at = present(order[start]);
      other.at = order[end] ?? one.at;
      if (end === order.length || compareTies(one.offer, other.offer) !== 0) {
        if (end - start > 1) {
          order.subarray(start, end).sort((a, b) => compareIds(this.parts.ids, a, b));
        }
        start = end;
      }
      if (end % READ_AT_ONCE === 0) {
        yield;
      }
    }
    return order;
  }
}

type Order = Uint32Array<ArrayBuffer>;

function hasDiskPrice({ sort, diskGb = 0 }: PickerOrder): boolean {
  return sort === "total" && diskGb > 0;
}

function nameOf({ sort, order, diskGb = 0 }: PickerOrder, isSpot: boolean): string {
  return `${sort} ${order} ${diskGb} ${isSpot}`;
}

function firstOf(order: Uint32Array, matches: (at: number) => boolean, count: number): Uint32Array {
  const found = new Uint32Array(Math.min(count, order.length));
  let filled = 0;
  for (const at of order) {
    if (filled === found.length) {
      break;
    }
    if (matches(at)) {
      found[filled++] = at;
    }
  }
  return found.subarray(0, filled);
}

/** Puts what is sold out last, and in both parts those last whose price is a lower bound. */
function* dividing(
  order: Uint32Array,
  cursor: ListingCursor,
  isLowerBound: (offer: ListingCursor["offer"]) => boolean,
): Generator<void, Order> {
  const sections = new Uint8Array(order.length);
  const ends = [0, 0, 0, 0, 0];
  for (let index = 0; index < order.length; index++) {
    cursor.at = present(order[index]);
    const section = (cursor.availability === "sold_out" ? 2 : 0) + (isLowerBound(cursor.offer) ? 1 : 0);
    sections[index] = section;
    ends[section + 1] = present(ends[section + 1]) + 1;
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) {
      yield;
    }
  }
  const next = ends.map((_, section) => ends.slice(0, section + 1).reduce((sum, count) => sum + count, 0));
  const divided = new Uint32Array(order.length);
  for (let index = 0; index < order.length; index++) {
    const section = present(sections[index]);
    const place = present(next[section]);
    divided[place] = present(order[index]);
    next[section] = place + 1;
  }
  return divided;
}
