import type { Offer } from "../offer/offer-schema.js";
import { memoized } from "../memoized.js";
import { compareUuidWords, uuidText, uuidWords } from "../text/uuid-words.js";
import { present } from "../present.js";

// Builds the parts of an OfferIndex, which describes their layout.

/** The indexed fields of an offer. */
export interface IndexedOffer extends Pick<Offer, "id" | "gpuCount" | "priceHourly" | "pricePerGpu"> {
  /** Model of each GPU. */
  gpu: Pick<Offer["gpu"], "slug">;
  /** Location of the offer. */
  regionInfo: Pick<Offer["regionInfo"], "continent">;
}

/** A sort order of the list. */
export interface Ordering {
  /** Rank in this order to position in the input. */
  positionByRank: Uint32Array<ArrayBuffer>;
  /** Ranks of the members of every group but that of all offers, group after group, ascending within each. */
  groupRanks: Uint32Array<ArrayBuffer>;
}

interface BothWays {
  /** Lowest first. */
  asc: Ordering;
  /** Highest first. */
  desc: Ordering;
}

/**
 * All parts of an OfferIndex: plain data, which one thread can transfer to another.
 * Codes are positions in the lists of values; a code one past the end means "any".
 */
export interface OfferIndexParts {
  /** Positions by GPU slug. */
  gpus: string[];
  /** Positions by continent. */
  continents: string[];
  /** Ascending. */
  gpuCounts: number[];
  /** Maps the key of a group (see {@link groupKey}) to its number. */
  groupByKey: Map<number, number>;
  /** Start of each group in `groupRanks` of every ordering, followed by the end of the last. */
  groupStarts: Uint32Array<ArrayBuffer>;
  /** Positions by price per GPU. */
  pricePerGpu: BothWays;
  /** Positions by price of the instance. */
  priceHourly: BothWays;
  /** Ids in ascending order, four words each. */
  idWords: Uint32Array<ArrayBuffer>;
  /** Position in the input of each of those ids. */
  idPositions: Uint32Array<ArrayBuffer>;
  /** The memory of all columns above: transfer it when passing the parts to another thread. */
  buffers: ArrayBuffer[];
}

/** The number of a group, from its codes of GPU, continent and GPU count, including "any". */
export function groupKey(
  parts: Pick<OfferIndexParts, "continents" | "gpuCounts">,
  gpu: number,
  continent: number,
  gpuCount: number,
): number {
  return (gpu * (parts.continents.length + 1) + continent) * (parts.gpuCounts.length + 1) + gpuCount;
}

/**
 * Adds offers one by one and builds the parts of an index over them. It keeps columns of numbers, not the offers, so it
 * can process a catalog that would not fit in memory as objects.
 */
export class OfferIndexBuilder {
  // Lists while it grows: typed columns that are replaced by larger ones leave memory that the allocator keeps
  readonly #idWords: number[] = [];
  readonly #gpus = new ValueColumn<string>();
  readonly #continents = new ValueColumn<string>();
  readonly #gpuCounts = new ValueColumn<number>();
  readonly #pricesPerGpu: number[] = [];
  readonly #pricesHourly: number[] = [];
  #sorted: Pick<OfferIndexParts, "idWords" | "idPositions"> | undefined;

  /**
   * Adds an offer; its position is the number of offers added before it.
   * @throws RangeError if its id isn't a lower-case UUID.
   */
  add(offer: IndexedOffer): void {
    const words = uuidWords(offer.id);
    if (words === undefined) {
      throw new RangeError(`An offer's id must be a lower-case UUID, not ${JSON.stringify(offer.id)}.`);
    }
    for (const word of words) {
      this.#idWords.push(word);
    }
    this.#gpus.add(offer.gpu.slug);
    this.#continents.add(offer.regionInfo.continent);
    this.#gpuCounts.add(offer.gpuCount);
    this.#pricesPerGpu.push(offer.pricePerGpu);
    this.#pricesHourly.push(offer.priceHourly);
  }

  /** The ids in ascending order. Call it after the last offer. @throws RangeError for a duplicate id. */
  sortIds(): Pick<OfferIndexParts, "idWords" | "idPositions"> {
    return (this.#sorted ??= sortIds(new Uint32Array(this.#idWords)));
  }

  /** Builds the parts in O(n log n). The builder can't be used afterwards. @throws RangeError for a duplicate id. */
  build(): OfferIndexParts {
    const gpus = this.#gpus.encode();
    const continents = this.#continents.encode();
    const gpuCounts = this.#gpuCounts.encode();
    const { idWords, idPositions } = this.sortIds();
    const values = { gpus: gpus.values, continents: continents.values, gpuCounts: gpuCounts.values };
    const groups = groupOffers(values, [gpus.codes, continents.codes, gpuCounts.codes]);

    const bothWays = (first: Float64Array, second: Float64Array): BothWays => {
      const at = (prices: Float64Array, position: number): number => present(prices[position]);
      // The sort is stable and starts from the order by id, so equal prices stay in that order.
      const ascending = idPositions
        .slice()
        .sort((a, b) => at(first, a) - at(first, b) || at(second, a) - at(second, b));
      const descending = reverseRuns(ascending, (position) => at(first, position));
      return { asc: layOut(ascending, groups), desc: layOut(descending, groups) };
    };
    const [perGpu, hourly] = [new Float64Array(this.#pricesPerGpu), new Float64Array(this.#pricesHourly)];
    const pricePerGpu = bothWays(perGpu, hourly);
    const priceHourly = bothWays(hourly, perGpu);
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
}

/** A column of a few distinct values, as numbers. */
class ValueColumn<Value extends string | number> {
  /** The codes of values, in the order of their first appearance. */
  readonly #codeOf = new Map<Value, number>();
  readonly #codes: number[] = [];

  add(value: Value): void {
    this.#codes.push(memoized(this.#codeOf, value, () => this.#codeOf.size));
  }

  /** The values in ascending order, and the column converted to positions in that list. */
  encode(): { values: Value[]; codes: Uint32Array } {
    // No two keys are equal.
    const values = [...this.#codeOf.keys()].sort((a, b) => (a < b ? -1 : 1));
    const places = new Uint32Array(values.length);
    for (const [place, value] of values.entries()) {
      places[present(this.#codeOf.get(value))] = place;
    }
    return { values, codes: new Uint32Array(this.#codes).map((code) => present(places[code])) };
  }
}

interface Groups {
  groupByKey: Map<number, number>;
  starts: Uint32Array<ArrayBuffer>;
  /** For each subset of the three properties but the empty one, the group of every offer. */
  columns: Uint32Array[];
}

/**
 * Assigns every offer to its seven groups: one for each subset of GPU, continent and GPU count. The group of all offers is
 * left out, because each is at its rank.
 */
function groupOffers(
  values: Pick<OfferIndexParts, "gpus" | "continents" | "gpuCounts">,
  [gpus, continents, gpuCounts]: [Uint32Array, Uint32Array, Uint32Array],
): Groups {
  const groupByKey = new Map<number, number>();
  const sizes: number[] = [];
  const columns = [1, 2, 3, 4, 5, 6, 7].map((subset) => {
    const groups = new Uint32Array(gpus.length);
    for (let position = 0; position < gpus.length; position++) {
      const key = groupKey(
        values,
        subset & 1 ? present(gpus[position]) : values.gpus.length,
        subset & 2 ? present(continents[position]) : values.continents.length,
        subset & 4 ? present(gpuCounts[position]) : values.gpuCounts.length,
      );
      let group = groupByKey.get(key);
      if (group === undefined) {
        group = groupByKey.size;
        groupByKey.set(key, group);
      }
      groups[position] = group;
      sizes[group] = (sizes[group] ?? 0) + 1;
    }
    return groups;
  });
  const starts = new Uint32Array(sizes.length + 1);
  for (const [group, size] of sizes.entries()) {
    starts[group + 1] = present(starts[group]) + size;
  }
  return { groupByKey, starts, columns };
}

/** Arranges an order of all offers by group. */
function layOut(positionByRank: Uint32Array<ArrayBuffer>, { starts, columns }: Groups): Ordering {
  const next = starts.slice();
  const groupRanks = new Uint32Array(present(starts.at(-1)));
  for (const groups of columns) {
    for (let rank = 0; rank < positionByRank.length; rank++) {
      const group = present(groups[present(positionByRank[rank])]);
      const slot = present(next[group]);
      groupRanks[slot] = rank;
      next[group] = slot + 1;
    }
  }
  return { positionByRank, groupRanks };
}

/** Identifiers of the offers of an index, and of more after them, in ascending order, and the place of each position's. */
export function sortedIds(
  { idWords, idPositions }: Pick<OfferIndexParts, "idWords" | "idPositions">,
  more: readonly string[],
): {
  /** Four words each. */
  words: Uint32Array<ArrayBuffer>;
  /** Place of the identifier of each position. */
  places: Uint32Array<ArrayBuffer>;
} {
  const size = idPositions.length;
  const known = { idWords, idPositions: idPositions.map((_, place) => place) };
  const all = new Uint32Array((size + more.length) * 4);
  all.set(idWords);
  for (const [place, id] of more.entries()) {
    all.set(present(uuidWords(id)), (size + place) * 4);
  }
  const sorted = more.length === 0 ? known : sortIds(all);
  const places = new Uint32Array(size + more.length);
  for (const [place, at] of sorted.idPositions.entries()) {
    places[idPositions[at] ?? at] = place;
  }
  return { words: sorted.idWords, places };
}

function sortIds(words: Uint32Array): Pick<OfferIndexParts, "idWords" | "idPositions"> {
  const idPositions = Uint32Array.from({ length: words.length / 4 }, (_, position) => position);
  idPositions.sort((a, b) => compareUuidWords(words, a, words, b));
  const idWords = new Uint32Array(words.length);
  for (const [rank, position] of idPositions.entries()) {
    idWords.set(words.subarray(position * 4, position * 4 + 4), rank * 4);
    if (rank > 0 && compareUuidWords(idWords, rank - 1, idWords, rank) === 0) {
      throw new RangeError(`Two offers have the id ${uuidText(idWords.subarray(rank * 4, rank * 4 + 4))}.`);
    }
  }
  return { idWords, idPositions };
}

/** Reverses an ascending order: the runs of equal keys in reverse, each run unchanged. */
function reverseRuns(ascending: Uint32Array, keyOf: (position: number) => number): Uint32Array<ArrayBuffer> {
  const descending = new Uint32Array(ascending.length);
  let filled = 0;
  let end = ascending.length;
  while (end > 0) {
    let start = end - 1;
    const key = keyOf(present(ascending[start]));
    while (start > 0 && keyOf(present(ascending[start - 1])) === key) {
      start--;
    }
    descending.set(ascending.subarray(start, end), filled);
    filled += end - start;
    end = start;
  }
  return descending;
}
