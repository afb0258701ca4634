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
  /** Ids by position in the input, four words each; others may follow. */
  idWords: Uint32Array<ArrayBuffer>;
  /** Positions in the order of their ids. */
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
  readonly #words: number[] = [];
  #idWords: Uint32Array<ArrayBuffer> | undefined;
  readonly #gpus = new ValueColumn<string>();
  readonly #continents = new ValueColumn<string>();
  readonly #gpuCounts = new ValueColumn<number>();
  readonly #pricesPerGpu: number[] = [];
  readonly #pricesHourly: number[] = [];

  /**
   * Adds an offer; its position is the number of offers added before it.
   * @throws RangeError if its id isn't a lower-case UUID.
   */
  add(offer: IndexedOffer): void {
    this.#addId(offer.id);
    this.#gpus.add(offer.gpu.slug);
    this.#continents.add(offer.regionInfo.continent);
    this.#gpuCounts.add(offer.gpuCount);
    this.#pricesPerGpu.push(offer.pricePerGpu);
    this.#pricesHourly.push(offer.priceHourly);
  }

  /**
   * The ids by position, four words each. Call it after the last offer.
   * @param more ids after them, which the index doesn't have. @throws RangeError if one isn't a lower-case UUID.
   */
  idWords(more: Iterable<string> = []): Uint32Array<ArrayBuffer> {
    if (this.#idWords === undefined) {
      for (const id of more) {
        this.#addId(id);
      }
      this.#idWords = new Uint32Array(this.#words);
    }
    return this.#idWords;
  }

  #addId(id: string): void {
    const words = uuidWords(id);
    if (words === undefined) {
      throw new RangeError(`An offer's id must be a lower-case UUID, not ${JSON.stringify(id)}.`);
    }
    for (const word of words) {
      this.#words.push(word);
    }
  }

  /** Builds the parts in O(n log n). The builder can't be used afterwards. @throws RangeError for a duplicate id. */
  build(): OfferIndexParts {
    const gpus = this.#gpus.encode();
    const continents = this.#continents.encode();
    const gpuCounts = this.#gpuCounts.encode();
    const idWords = this.idWords();
    const idPositions = sortIds(idWords, this.#pricesPerGpu.length);
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

function sortIds(idWords: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const idPositions = Uint32Array.from({ length: size }, (_, position) => position);
  idPositions.sort((a, b) => compareUuidWords(idWords, a, idWords, b));
  for (const [place, position] of idPositions.entries()) {
    if (place > 0 && compareUuidWords(idWords, present(idPositions[place - 1]), idWords, position) === 0) {
      throw new RangeError(`Two offers have the id ${uuidText(idWords.subarray(position * 4, position * 4 + 4))}.`);
    }
  }
  return idPositions;
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
