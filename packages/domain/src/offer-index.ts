import { pageCounts, type ListOffersQuery, type OfferList } from "./offer-query.js";
import type { Offer } from "./offer.js";

// Answers the query of GET /api/v1/offers at a cost that follows the page and the number of groups it
// is made of, never the number of offers. The plain definition of the answer is listOffers.
//
// Offers that agree in GPU, continent and GPU count form a group; so do all offers that agree in two
// of the three, or in one. For each order of the list, each group holds the ranks of its offers in that
// order, ascending. A query names a few groups that do not overlap (`gpu=h100&min_gpu_count=8` is one
// group for each count from 8 up), and its page is a stretch of their merged ranks. The stretch is
// found by bisection over the rank, so page 10,000 costs what page 0 costs.
//
// It is immutable: a new catalog is a new index. It needs about 150 bytes an offer.

/** What the index keeps of an offer. Every {@link Offer} has it. */
export interface IndexedOffer extends Pick<Offer, "id" | "gpuCount" | "priceHourly" | "pricePerGpu"> {
  gpu: Pick<Offer["gpu"], "slug">;
  regionInfo: Pick<Offer["regionInfo"], "continent">;
}

/** A page of an {@link OfferIndex}: counts as in the interface, offers as positions in what it was built from. */
export interface OfferIndexPage extends Omit<OfferList, "offers"> {
  /** Position of each offer of the page, in the order of the page, in the iterable that the index was built from. */
  positions: number[];
}

interface Ordering {
  /** Rank in this order to position in the input. */
  positionByRank: Uint32Array;
  /** Ranks of the members of every group, group after group, ascending within each. */
  groupRanks: Uint32Array;
}

/** A stretch of `groupRanks`. */
interface Run {
  start: number;
  end: number;
}

/** Column of the values of one property: each offer's value as a code, codes ascending with the values. */
class Dimension<Value extends string | number> {
  readonly values: Value[];
  readonly codes: Uint32Array;
  readonly #codeByValue = new Map<Value, number>();

  constructor(column: readonly Value[]) {
    this.values = [...new Set(column)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    for (const [code, value] of this.values.entries()) {
      this.#codeByValue.set(value, code);
    }
    this.codes = Uint32Array.from(column, (value) => this.#codeByValue.get(value) ?? 0);
  }

  /** The code that stands for "any value". */
  get any(): number {
    return this.values.length;
  }

  /** Codes of the values that occur here; `[any]` when nothing is asked for or everything occurs. */
  select(wanted: readonly Value[] | undefined): number[] {
    if (wanted === undefined) {
      return [this.any];
    }
    const codes = new Set<number>();
    for (const value of wanted) {
      const code = this.#codeByValue.get(value);
      if (code !== undefined) {
        codes.add(code);
      }
    }
    return codes.size === this.values.length && codes.size > 0 ? [this.any] : [...codes];
  }
}

/** Index over offers. See the head of this file for how it works and what it costs. */
export class OfferIndex {
  /** Number of offers. */
  readonly size: number;
  readonly #gpu: Dimension<string>;
  readonly #continent: Dimension<string>;
  readonly #gpuCount: Dimension<number>;
  readonly #ids: IdTable;
  readonly #groupByKey: Map<number, number>;
  readonly #groupStarts: Uint32Array;
  readonly #orderings: Record<"pricePerGpu" | "priceHourly", Record<"asc" | "desc", Ordering>>;

  /**
   * Builds the index, in time that grows with n log n.
   * @throws RangeError when an id is not a lower-case UUID or occurs twice.
   */
  constructor(offers: Iterable<IndexedOffer>) {
    const columns = readColumns(offers);
    this.size = columns.ids.length;
    this.#gpu = new Dimension(columns.gpus);
    this.#continent = new Dimension(columns.continents);
    this.#gpuCount = new Dimension(columns.gpuCounts);
    this.#ids = new IdTable(columns.ids);
    const byId = this.#ids.positions;

    const memberships = this.#groupMemberships();
    this.#groupByKey = memberships.groupByKey;
    this.#groupStarts = memberships.starts;

    const { pricesPerGpu, pricesHourly } = columns;
    const orderings = (first: Float64Array, second: Float64Array): Record<"asc" | "desc", Ordering> => {
      const at = (prices: Float64Array, position: number): number => prices[position] ?? 0;
      // The sort is stable and starts from the order by id, so equal prices stay in that order.
      const ascending = Uint32Array.from(byId).sort((a, b) => at(first, a) - at(first, b) || at(second, a) - at(second, b));
      const descending = reverseRuns(ascending, (position) => at(first, position));
      return { asc: memberships.rank(ascending), desc: memberships.rank(descending) };
    };
    this.#orderings = {
      pricePerGpu: orderings(pricesPerGpu, pricesHourly),
      priceHourly: orderings(pricesHourly, pricesPerGpu),
    };
  }

  /** Position in the input of the offer with this id; undefined when there is none (any text may be asked for). */
  find(id: string): number | undefined {
    return this.#ids.find(id);
  }

  /** The page that `query` asks for: equal to {@link listOffers} over the same offers. */
  page(query: ListOffersQuery): OfferIndexPage {
    const gpus = this.#gpu.select(query.gpu);
    const continents = this.#continent.select(query.continent);
    const counts = this.#gpuCount.values.filter(
      (count) => count >= (query.min_gpu_count ?? 1) && count <= (query.max_gpu_count ?? count),
    );

    // Within one GPU count the order by gpuCount is the order by pricePerGpu, so it needs no lists of
    // its own: one bucket of groups for each count, bucket after bucket.
    const isByCount = query.sort_by === "gpuCount";
    const ordering =
      query.sort_by === "gpuCount" ? this.#orderings.pricePerGpu.asc : this.#orderings[query.sort_by][query.sort_order];
    const countCodes = isByCount
      ? counts.flatMap((count) => this.#gpuCount.select([count]))
      : this.#gpuCount.select(counts);
    if (isByCount && query.sort_order === "desc") {
      countCodes.reverse();
    }
    const buckets = isByCount
      ? countCodes.map((code) => this.#runs(gpus, continents, [code]))
      : [this.#runs(gpus, continents, countCodes)];

    let totalElements = 0;
    let skip = query.page * query.size;
    let wanted = query.size;
    const positions: number[] = [];
    for (const runs of buckets) {
      const available = runs.reduce((sum, run) => sum + run.end - run.start, 0);
      totalElements += available;
      if (skip >= available) {
        skip -= available;
      } else if (wanted > 0) {
        const taken = Math.min(wanted, available - skip);
        for (const rank of mergedRanks(ordering.groupRanks, runs, skip, taken)) {
          positions.push(ordering.positionByRank[rank] ?? 0);
        }
        skip = 0;
        wanted -= taken;
      }
    }
    return { positions, ...pageCounts(totalElements, query) };
  }

  #key(gpu: number, continent: number, gpuCount: number): number {
    return (gpu * (this.#continent.any + 1) + continent) * (this.#gpuCount.any + 1) + gpuCount;
  }

  #runs(gpus: readonly number[], continents: readonly number[], gpuCounts: readonly number[]): Run[] {
    const runs: Run[] = [];
    for (const gpu of gpus) {
      for (const continent of continents) {
        for (const gpuCount of gpuCounts) {
          const group = this.#groupByKey.get(this.#key(gpu, continent, gpuCount));
          if (group !== undefined) {
            runs.push({ start: this.#groupStarts[group] ?? 0, end: this.#groupStarts[group + 1] ?? 0 });
          }
        }
      }
    }
    return runs;
  }

  /** The groups of every offer, and a function that lays an order out by groups. */
  #groupMemberships(): {
    groupByKey: Map<number, number>;
    starts: Uint32Array;
    rank: (positionByRank: Uint32Array) => Ordering;
  } {
    const { size } = this;
    const groupByKey = new Map<number, number>();
    const groupSizes: number[] = [];
    // One column for each subset of the three properties: the group that the offer is in.
    const columns = [0, 1, 2, 3, 4, 5, 6, 7].map((subset) => {
      const groups = new Uint32Array(size);
      for (let position = 0; position < size; position++) {
        const key = this.#key(
          subset & 1 ? (this.#gpu.codes[position] ?? 0) : this.#gpu.any,
          subset & 2 ? (this.#continent.codes[position] ?? 0) : this.#continent.any,
          subset & 4 ? (this.#gpuCount.codes[position] ?? 0) : this.#gpuCount.any,
        );
        let group = groupByKey.get(key);
        if (group === undefined) {
          group = groupByKey.size;
          groupByKey.set(key, group);
          groupSizes.push(0);
        }
        groups[position] = group;
        groupSizes[group] = (groupSizes[group] ?? 0) + 1;
      }
      return groups;
    });
    const starts = new Uint32Array(groupSizes.length + 1);
    for (const [group, groupSize] of groupSizes.entries()) {
      starts[group + 1] = (starts[group] ?? 0) + groupSize;
    }
    const rank = (positionByRank: Uint32Array): Ordering => {
      const next = starts.slice();
      const groupRanks = new Uint32Array(starts.at(-1) ?? 0);
      for (const groups of columns) {
        for (let rankInOrder = 0; rankInOrder < size; rankInOrder++) {
          const group = groups[positionByRank[rankInOrder] ?? 0] ?? 0;
          const slot = next[group] ?? 0;
          groupRanks[slot] = rankInOrder;
          next[group] = slot + 1;
        }
      }
      return { positionByRank, groupRanks };
    };
    return { groupByKey, starts, rank };
  }
}

/** Ids as 128-bit numbers in ascending order, 16 bytes each, beside the position of each in the input. */
class IdTable {
  readonly positions: Uint32Array;
  readonly #words: Uint32Array;

  constructor(ids: readonly string[]) {
    const words = new Uint32Array(ids.length * 4);
    for (const [position, id] of ids.entries()) {
      const parsed = uuidWords(id);
      if (parsed === undefined) {
        throw new RangeError(`An offer's id must be a lower-case UUID, not ${JSON.stringify(id)}.`);
      }
      words.set(parsed, position * 4);
    }
    this.positions = Uint32Array.from(ids, (_, position) => position);
    this.positions.sort((a, b) => compareWords(words, a, words, b));
    this.#words = new Uint32Array(words.length);
    for (const [rank, position] of this.positions.entries()) {
      this.#words.set(words.subarray(position * 4, position * 4 + 4), rank * 4);
      if (rank > 0 && compareWords(this.#words, rank - 1, this.#words, rank) === 0) {
        throw new RangeError(`Two offers have the id ${ids[position]}.`);
      }
    }
  }

  find(id: string): number | undefined {
    const wanted = uuidWords(id);
    if (wanted === undefined) {
      return undefined;
    }
    let low = 0;
    let high = this.positions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareWords(this.#words, middle, wanted, 0);
      if (order === 0) {
        return this.positions[middle];
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return undefined;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function uuidWords(id: string): Uint32Array | undefined {
  if (id.length !== 36 || !UUID.test(id)) {
    return undefined;
  }
  const digits = id.replaceAll("-", "");
  return Uint32Array.from([0, 8, 16, 24], (start) => Number.parseInt(digits.slice(start, start + 8), 16));
}

function compareWords(a: Uint32Array, indexA: number, b: Uint32Array, indexB: number): number {
  for (let word = 0; word < 4; word++) {
    const difference = (a[indexA * 4 + word] ?? 0) - (b[indexB * 4 + word] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function readColumns(offers: Iterable<IndexedOffer>) {
  const ids: string[] = [];
  const gpus: string[] = [];
  const continents: string[] = [];
  const gpuCounts: number[] = [];
  const pricesPerGpu: number[] = [];
  const pricesHourly: number[] = [];
  for (const offer of offers) {
    ids.push(offer.id);
    gpus.push(offer.gpu.slug);
    continents.push(offer.regionInfo.continent);
    gpuCounts.push(offer.gpuCount);
    pricesPerGpu.push(offer.pricePerGpu);
    pricesHourly.push(offer.priceHourly);
  }
  return {
    ids,
    gpus,
    continents,
    gpuCounts,
    pricesPerGpu: Float64Array.from(pricesPerGpu),
    pricesHourly: Float64Array.from(pricesHourly),
  };
}

/** Descending order of an ascending one: the runs of equal keys in reverse, each run as it was. */
function reverseRuns(ascending: Uint32Array, keyOf: (position: number) => number): Uint32Array {
  const descending = new Uint32Array(ascending.length);
  let filled = 0;
  let end = ascending.length;
  while (end > 0) {
    let start = end - 1;
    const key = keyOf(ascending[start] ?? 0);
    while (start > 0 && keyOf(ascending[start - 1] ?? 0) === key) {
      start--;
    }
    descending.set(ascending.subarray(start, end), filled);
    filled += end - start;
    end = start;
  }
  return descending;
}

/** The ranks `skip` to `skip + taken` of several ascending runs merged, ascending. */
function mergedRanks(ranks: Uint32Array, runs: readonly Run[], skip: number, taken: number): Uint32Array {
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) {
    return ranks.subarray(only.start + skip, only.start + skip + taken);
  }
  const from = splitRuns(ranks, runs, skip);
  const rest = runs.map((run, index) => ({
    start: from[index] ?? run.start,
    end: Math.min(run.end, (from[index] ?? run.start) + taken),
  }));
  const to = splitRuns(ranks, rest, taken);
  const merged = new Uint32Array(taken);
  let filled = 0;
  for (const [index, run] of rest.entries()) {
    const stretch = ranks.subarray(run.start, to[index]);
    merged.set(stretch, filled);
    filled += stretch.length;
  }
  return merged.sort();
}

/**
 * Splits ascending runs of distinct ranks at their `count` smallest members together: the index in each
 * run behind its last such member.
 */
function splitRuns(ranks: Uint32Array, runs: readonly Run[], count: number): number[] {
  let below = runs.map((run) => run.start);
  if (count === 0) {
    return below;
  }
  let above = runs.map((run) => run.end);
  // Invariant: at most `count` members lie before `below`, more than `count` (or all) before `above`.
  let low = 0;
  let high = runs.reduce((highest, run) => Math.max(highest, (ranks[run.end - 1] ?? 0) + 1), 0);
  if (runs.reduce((sum, run) => sum + run.end - run.start, 0) <= count) {
    return above;
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    let before = 0;
    const split = runs.map((run, index) => {
      const position = lowerBound(ranks, middle, below[index] ?? run.start, above[index] ?? run.end);
      before += position - run.start;
      return position;
    });
    if (before <= count) {
      below = split;
      low = middle;
    } else {
      above = split;
      high = middle;
    }
  }
  return below;
}

function lowerBound(ranks: Uint32Array, wanted: number, start: number, end: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranks[middle] ?? 0) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
