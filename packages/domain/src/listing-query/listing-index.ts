import type { ListingFilter } from "./listing-filter.js";
import type { FilteredListing } from "./listing-parameter.js";
import type { ListingParameterName } from "./listing-parameters.js";
import { availabilityIn, compareIds, type ListingColumnParts } from "../columns/listing-columns.js";
import { ListingCursor } from "../columns/listing-cursor.js";
import { evaluatingConditions, outcomesOf, type ByCost, type ListingOutcomes } from "./listing-conditions.js";
import { ListingGroups, type PreparedGroups } from "../columns/listing-groups.js";
import { firstOf, sortingByNumbers } from "./sorted-by-numbers.js";
import { isPricedFromBelow, sortNumber, TIE_NUMBERS, type PickerOrder } from "./listing-order.js";
import { addPosition, countPositions, noPositions, positionsCoded, type PositionBits } from "../position-bits.js";
import type { Availability } from "../offer/availability.js";
import { finished } from "../finished.js";
import { splitRuns, type Run } from "../merged-runs.js";
import { lazily, memoized } from "../memoized.js";
import { toMicrosUp } from "../money/money.js";
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
  /** The positions that the search words match, or others to look among; undefined without any. */
  words?: PositionBits | undefined;
}

/** The positions of a page, and what is said about the whole list. */
export interface ListingPage {
  /** Positions of the listings in the index, in order. */
  positions: Uint32Array;
  /** The positions of all matches. */
  matches: PositionBits;
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

/** Larger totals in micro-dollars, and unknown ones, share this key. A power of two, so that keys of four sections are exact. */
const MAX_KEY = 2 ** 49;

/** More groups of costs take longer to search than all positions take to sort; as many positions are sorted in a moment. */
const MANY = 2_000;

const USUAL_ORDER: PickerOrder = { sort: "pricePerGpu", order: "asc" };

/** Columns of listings, and the order that settles equal prices. */
export class ListingIndex {
  /** The columns. */
  readonly parts: ListingColumnParts;
  /** Their facts in groups. */
  readonly groups: ListingGroups;
  /** All positions in each order that was requested, 4 bytes each. There are 34: those by prices with a disk aren't kept. */
  readonly #orders: Map<string, Order>;
  readonly #costs = new Map<boolean, ByCost>();

  /** @param prepared what {@link ListingIndex.prepare} made of the same columns. */
  constructor(parts: ListingColumnParts, prepared?: PreparedIndex) {
    this.parts = parts;
    this.groups = new ListingGroups(parts, prepared?.groups);
    this.#orders = new Map(prepared?.orders);
  }

  /** What would take long in the first query: groups of facts, the usual order, and those of equal prices and costs. */
  prepare(): PreparedIndex {
    const groups = this.groups.prepare();
    finished(this.#orderOf(USUAL_ORDER, false));
    [false, true].forEach(this.#byCost);
    return { groups, orders: this.#orders };
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

  /** {@link ListingIndex.select} in slices: other work may run whenever it yields. */
  *selecting(selection: ListingSelection, { page, size }: Page): Generator<void, ListingPage> {
    const { matches, excludedBy } = yield* evaluatingConditions(this.groups, selection, this.#byCost);
    const total = countPositions(matches);
    const range = [page * size, Math.min((page + 1) * size, total)] as const;
    return { positions: yield* this.#ordered(matches, selection, range), matches, total, excludedBy };
  }

  /** All matches in order, and what becomes of each position: whether it matches, or which filter alone excludes it. */
  evaluate(selection: ListingSelection): { positions: Uint32Array; outcomes: ListingOutcomes } {
    const outcomes = outcomesOf(this.groups, selection, this.#byCost);
    const range = [0, countPositions(outcomes.matches)] as const;
    return { positions: finished(this.#ordered(outcomes.matches, selection, range)), outcomes };
  }

  /** Whether the listing at a position can be had. */
  availabilityAt(position: number): Availability {
    return availabilityIn(present(this.parts.flags[position]));
  }

  /** The positions that match a filter, and words. */
  matches(selection: Pick<ListingSelection, "filter" | "words">): PositionBits {
    return finished(evaluatingConditions(this.groups, selection, this.#byCost)).matches;
  }

  /** Number of all matches. */
  count(selection: Pick<ListingSelection, "filter" | "words">): number {
    return countPositions(this.matches(selection));
  }

  /** A range of the matches in order. */
  *#ordered(matches: PositionBits, { filter, sort }: ListingSelection, range: Range): Generator<void, Uint32Array> {
    const [start, end] = range;
    // A page beyond the last one needs no order.
    if (start >= end) {
      return new Uint32Array();
    }
    const isSpot = filter.spot !== undefined;
    if ((sort.diskGb ?? 0) === 0) {
      return firstOf(yield* this.#orderOf(sort, isSpot), matches, range);
    }
    // There are too many sizes of disks to keep an order for each.
    if (sort.sort === "total") {
      return yield* this.#rangeOf(sort, isSpot, matches, range);
    }
    // Of other orders, a disk changes the sections alone.
    const order = yield* this.#orderOf({ ...sort, diskGb: 0 }, isSpot);
    const sections = this.#sections(sort, isSpot);
    const found = new Uint32Array(end);
    for (let [section, filled] = [0, 0]; filled < end; section++) {
      const isOwn = sections.map((one) => (one === section ? 1 : 0));
      const own = positionsCoded(this.groups.of("cost").codes, isOwn, matches);
      found.set(firstOf(order, own, [0, end - filled]), filled);
      filled += countPositions(own);
    }
    return found.subarray(start);
  }

  *#orderOf(sort: PickerOrder, isSpot: boolean): Generator<void, Order> {
    return yield* this.#kept(`${sort.sort} ${sort.order} ${isSpot}`, () => this.#sorting(sort, isSpot));
  }

  /** All positions in an order, so that another page, or another filter, needs no sorting. */
  *#kept(name: string, sort: () => Generator<void, Order>): Generator<void, Order> {
    const order = this.#orders.get(name) ?? (yield* sort());
    this.#orders.set(name, order);
    return order;
  }

  *#sorting(sort: PickerOrder, isSpot: boolean, matches?: PositionBits): Generator<void, Order> {
    const [sections, { codes }] = [this.#sections(sort, isSpot), this.groups.of("cost")];
    const sectionOf = (at: number): number => present(sections[present(codes[at])]);
    return yield* sortingByNumbers(yield* this.#ties(isSpot), this.#numberOf(sort, isSpot), matches, sectionOf);
  }

  /** A range of the order by total. Each group of costs is ordered by price already: only positions near the range are sorted. */
  *#rangeOf(
    sort: PickerOrder,
    isSpot: boolean,
    matches: PositionBits,
    [start, end]: Range,
  ): Generator<void, Uint32Array> {
    const { codes } = this.groups.of("cost");
    const ascending = firstOf(this.#byCost(isSpot).order, matches);
    const found = sort.order === "asc" ? ascending : ascending.toReversed();
    const runs = runsOfEqual(codes, found);
    yield;
    if (runs.length > MANY) {
      return (yield* this.#sorting(sort, isSpot, matches)).subarray(start, end);
    }
    const [sections, numberOf] = [this.#sections(sort, isSpot), this.#numberOf(sort, isSpot)];
    const keyAt = (place: number): number => {
      const at = present(found[place]);
      return Math.min(Math.max(numberOf(at), -MAX_KEY), MAX_KEY) + 2 * MAX_KEY * present(sections[present(codes[at])]);
    };
    const { below } = splitRuns(keyAt, runs, start, MANY);
    yield;
    const { above } = splitRuns(keyAt, runs, end - 1, MANY);
    const near = noPositions(this.size);
    let before = 0;
    for (const [index, run] of runs.entries()) {
      before += present(below[index]) - run.start;
      found.subarray(below[index], above[index]).forEach((at) => addPosition(near, at));
    }
    return (yield* this.#sorting(sort, isSpot, near)).subarray(start - before, end - before);
  }

  /** The number that a position is sorted by. What a disk costs is computed once for each group of costs. */
  #numberOf(sort: PickerOrder, isSpot: boolean): (at: number) => number {
    const numberOf = sortNumber(sort);
    const direction = sort.order === "asc" ? 1 : -1;
    const cursor = new ListingCursor(this.parts, isSpot);
    const numberAt = (at: number): number => {
      cursor.at = at;
      return direction * numberOf(cursor.offer);
    };
    if (sort.sort !== "total") {
      return numberAt;
    }
    const { codes, firsts } = this.groups.of("cost");
    const micros = this.#byCost(isSpot).micros();
    const microsAt = (at: number): number => direction * present(micros[at]);
    const diskMicros = Float64Array.from(firsts, (first) => numberAt(first) - microsAt(first));
    return (at) => microsAt(at) + present(diskMicros[present(codes[at])]);
  }

  /** The section of each group of costs: sold out ones come last, and in both parts those with a price that is a lower bound. */
  #sections(sort: PickerOrder, isSpot: boolean): Uint8Array {
    const cursor = new ListingCursor(this.parts, isSpot);
    const isLowerBound = isPricedFromBelow(sort);
    return Uint8Array.from(this.groups.of("cost").firsts, (first) => {
      cursor.at = first;
      return (cursor.availability === "sold_out" ? 2 : 0) + Number(isLowerBound(cursor.offer));
    });
  }

  readonly #byCost = (isSpot: boolean): ByCost =>
    memoized(this.#costs, isSpot, () => {
      const { codes, firsts } = this.groups.of("cost");
      const sort = () => sortingByNumbers(finished(this.#ties(isSpot)), (at) => present(codes[at]));
      const order = finished(this.#kept(`cost ${this.#isDifferent(isSpot)}`, sort));
      const [places, ends] = [new Uint32Array(order.length), new Uint32Array(firsts.length)];
      for (let place = 0; place < order.length; place++) {
        const at = present(order[place]);
        places[at] = place;
        ends[present(codes[at])] = place + 1;
      }
      const cursor = new ListingCursor(this.parts, isSpot);
      const micros = lazily(() =>
        new Float64Array(this.size).map((_, at) => {
          cursor.at = at;
          return toMicrosUp(cursor.offer.priceHourly);
        }),
      );
      return { micros, order, places, ends };
    });

  /** All positions in the order of offers that are equal by what a list is sorted by. */
  *#ties(isSpot: boolean): Generator<void, Order> {
    const isDifferent = this.#isDifferent(isSpot);
    return yield* this.#kept(`ties ${isDifferent}`, () => this.#sortingTies(isDifferent));
  }

  /** Whether any price differs from the one on demand. */
  #isDifferent(isSpot: boolean): boolean {
    return isSpot && this.parts.numbers.spotPrice.some((price) => !Number.isNaN(price));
  }

  *#sortingTies(isSpot: boolean): Generator<void, Order> {
    const cursor = new ListingCursor(this.parts, isSpot);
    const positions = new Uint32Array(this.size).map((_, at) => at);
    let order = positions.sort((a, b) => compareIds(this.parts.ids, a, b));
    for (const numberOf of TIE_NUMBERS.toReversed()) {
      order = yield* sortingByNumbers(order, (at) => {
        cursor.at = at;
        return numberOf(cursor.offer);
      });
    }
    return order;
  }
}

type Order = Uint32Array<ArrayBuffer>;
type Range = readonly [start: number, end: number];

/** The runs of positions that have the same code. */
function runsOfEqual(codes: ArrayLike<number>, positions: Uint32Array): Run[] {
  const runs: Run[] = [];
  for (let [start, end] = [0, 1]; start < positions.length; end++) {
    if (end === positions.length || codes[present(positions[end])] !== codes[present(positions[start])]) {
      runs.push({ start, end });
      start = end;
    }
  }
  return runs;
}
