import type { Offer } from "./offer.js";
import { compareUuidWords, uuidWords } from "./uuid-words.js";

// Builds what OfferIndex answers from. The layout is described there.

/** What the index keeps of an offer. Every {@link Offer} has it. */
export interface IndexedOffer extends Pick<Offer, "id" | "gpuCount" | "priceHourly" | "pricePerGpu"> {
  gpu: Pick<Offer["gpu"], "slug">;
  regionInfo: Pick<Offer["regionInfo"], "continent">;
}

/** One order of the list. */
export interface Ordering {
  /** Rank in this order to position in the input. */
  positionByRank: Uint32Array<ArrayBuffer>;
  /** Ranks of the members of every group, group after group, ascending within each. */
  groupRanks: Uint32Array<ArrayBuffer>;
}

/**
 * Everything an OfferIndex is made of: plain data, which one thread can hand to another.
 * Codes are places in the lists of values; a code one past the end stands for "any".
 */
export interface OfferIndexParts {
  gpus: string[];
  continents: string[];
  /** Ascending. */
  gpuCounts: number[];
  /** Key of a group (see {@link groupKey}) to its number. */
  groupByKey: Map<number, number>;
  /** Where each group starts in `groupRanks` of every ordering, and at last where they end. */
  groupStarts: Uint32Array<ArrayBuffer>;
  pricePerGpu: { asc: Ordering; desc: Ordering };
  priceHourly: { asc: Ordering; desc: Ordering };
  /** Ids in ascending order, four words each. */
  idWords: Uint32Array<ArrayBuffer>;
  /** Position in the input of each of those ids. */
  idPositions: Uint32Array<ArrayBuffer>;
  /** The memory of all columns above: what to transfer when the parts go to another thread. */
  buffers: ArrayBuffer[];
}

/** The number that stands for a group: codes of GPU, continent and GPU count, "any" included. */
export function groupKey(
  parts: Pick<OfferIndexParts, "continents" | "gpuCounts">,
  gpu: number,
  continent: number,
  gpuCount: number,
): number {
  return (gpu * (parts.continents.length + 1) + continent) * (parts.gpuCounts.length + 1) + gpuCount;
}

/**
 * Builds the parts of an index, in time that grows with n log n.
 * @throws RangeError when an id is not a lower-case UUID or occurs twice.
 */
export function buildOfferIndex(offers: Iterable<IndexedOffer>): OfferIndexParts {
  const columns = readColumns(offers);
  const gpu = encode(columns.gpus);
  const continent = encode(columns.continents);
  const gpuCount = encode(columns.gpuCounts);
  const { idWords, idPositions } = sortIds(columns.ids);
  const values = { gpus: gpu.values, continents: continent.values, gpuCounts: gpuCount.values };
  const groups = groupOffers(values, [gpu.codes, continent.codes, gpuCount.codes]);

  const bothWays = (first: Float64Array, second: Float64Array): { asc: Ordering; desc: Ordering } => {
    const at = (prices: Float64Array, position: number): number => prices[position] ?? 0;
    // The sort is stable and starts from the order by id, so equal prices stay in that order.
    const ascending = Uint32Array.from(idPositions).sort((a, b) => at(first, a) - at(first, b) || at(second, a) - at(second, b));
    const descending = reverseRuns(ascending, (position) => at(first, position));
    return { asc: layOut(ascending, groups), desc: layOut(descending, groups) };
  };
  const pricePerGpu = bothWays(columns.pricesPerGpu, columns.pricesHourly);
  const priceHourly = bothWays(columns.pricesHourly, columns.pricesPerGpu);
  const orderings = [pricePerGpu.asc, pricePerGpu.desc, priceHourly.asc, priceHourly.desc];
  return {
    ...values,
    groupByKey: groups.groupByKey,
    groupStarts: groups.starts,
    pricePerGpu,
    priceHourly,
    idWords,
    idPositions,
    buffers: [
      groups.starts,
      idWords,
      idPositions,
      ...orderings.flatMap(({ positionByRank, groupRanks }) => [positionByRank, groupRanks]),
    ].map((column) => column.buffer),
  };
}

/** The distinct values of a column in ascending order, and the column as places in that list. */
function encode<Value extends string | number>(column: readonly Value[]): { values: Value[]; codes: Uint32Array } {
  const values = [...new Set(column)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const codeByValue = new Map(values.map((value, code) => [value, code]));
  return { values, codes: Uint32Array.from(column, (value) => codeByValue.get(value) ?? 0) };
}

interface Groups {
  groupByKey: Map<number, number>;
  starts: Uint32Array<ArrayBuffer>;
  /** For each subset of the three properties, the group of every offer. */
  columns: Uint32Array[];
}

/** Puts every offer into its eight groups: one for each subset of GPU, continent and GPU count. */
function groupOffers(
  values: Pick<OfferIndexParts, "gpus" | "continents" | "gpuCounts">,
  [gpus, continents, gpuCounts]: [Uint32Array, Uint32Array, Uint32Array],
): Groups {
  const groupByKey = new Map<number, number>();
  const sizes: number[] = [];
  const columns = [0, 1, 2, 3, 4, 5, 6, 7].map((subset) => {
    const groups = new Uint32Array(gpus.length);
    for (let position = 0; position < gpus.length; position++) {
      const key = groupKey(
        values,
        subset & 1 ? (gpus[position] ?? 0) : values.gpus.length,
        subset & 2 ? (continents[position] ?? 0) : values.continents.length,
        subset & 4 ? (gpuCounts[position] ?? 0) : values.gpuCounts.length,
      );
      let group = groupByKey.get(key);
      if (group === undefined) {
        group = groupByKey.size;
        groupByKey.set(key, group);
        sizes.push(0);
      }
      groups[position] = group;
      sizes[group] = (sizes[group] ?? 0) + 1;
    }
    return groups;
  });
  const starts = new Uint32Array(sizes.length + 1);
  for (const [group, size] of sizes.entries()) {
    starts[group + 1] = (starts[group] ?? 0) + size;
  }
  return { groupByKey, starts, columns };
}

/** Lays one order of all offers out by groups. */
function layOut(positionByRank: Uint32Array<ArrayBuffer>, { starts, columns }: Groups): Ordering {
  const next = starts.slice();
  const groupRanks = new Uint32Array(starts.at(-1) ?? 0);
  for (const groups of columns) {
    for (let rank = 0; rank < positionByRank.length; rank++) {
      const group = groups[positionByRank[rank] ?? 0] ?? 0;
      const slot = next[group] ?? 0;
      groupRanks[slot] = rank;
      next[group] = slot + 1;
    }
  }
  return { positionByRank, groupRanks };
}

function sortIds(ids: readonly string[]): Pick<OfferIndexParts, "idWords" | "idPositions"> {
  const words = new Uint32Array(ids.length * 4);
  for (const [position, id] of ids.entries()) {
    const parsed = uuidWords(id);
    if (parsed === undefined) {
      throw new RangeError(`An offer's id must be a lower-case UUID, not ${JSON.stringify(id)}.`);
    }
    words.set(parsed, position * 4);
  }
  const idPositions = Uint32Array.from(ids, (_, position) => position);
  idPositions.sort((a, b) => compareUuidWords(words, a, words, b));
  const idWords = new Uint32Array(words.length);
  for (const [rank, position] of idPositions.entries()) {
    idWords.set(words.subarray(position * 4, position * 4 + 4), rank * 4);
    if (rank > 0 && compareUuidWords(idWords, rank - 1, idWords, rank) === 0) {
      throw new RangeError(`Two offers have the id ${ids[position]}.`);
    }
  }
  return { idWords, idPositions };
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
function reverseRuns(
  ascending: Uint32Array,
  keyOf: (position: number) => number,
): Uint32Array<ArrayBuffer> {
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
