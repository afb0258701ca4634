import {
  groupKey,
  OfferIndexBuilder,
  type IndexedOffer,
  type OfferIndexParts,
  type Ordering,
} from "./offer-index-build.js";
import type { ListOffersQuery, OfferList } from "./offer-query-schema.js";
import { assertFollowed, pageCounts } from "./offer-list.js";
import { lowerBound, splitRuns, type Run } from "../merged-runs.js";
import { SHORT_ID } from "../offer/offer-id.js";
import { compareUuidWords, uuidWords } from "../text/uuid-words.js";
import { present } from "../present.js";

// Resolves queries of GET /api/v1/offers at a cost that depends on the page size and the number of matching groups, never
// on the number of offers. listOffers is the reference implementation.
//
// Offers with the same GPU, continent and GPU count form a group; so do all offers that share two of the three, or one.
// For each order of the list, each group has the ranks of its offers in that order, ascending. A query selects a few
// groups that do not overlap (`gpu=h100&min_gpu_count=8` is one group for each count from 8 up), and its page is a slice
// of their merged ranks. The slice is found by bisection over the rank, so page 10,000 costs the same as page 0.
//
// It is immutable: a new catalog needs a new index. It takes about 150 bytes per offer.

/** A page of an {@link OfferIndex}: counts as in the API, offers as positions in the input of the index. */
export interface OfferIndexPage extends Omit<OfferList, "offers"> {
  /** Position of each offer of the page, in page order, in the iterable that the index was built from. */
  positions: number[];
}

const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

/** A slice of `groupRanks`, or of all ranks. */
type Slice = Run & { isAll?: boolean };

/** Index over offers. The start of this file explains how it works and what it costs. */
export class OfferIndex {
  readonly #parts: Omit<OfferIndexParts, "buffers">;
  readonly #gpuCodes: ReadonlyMap<string, number>;
  readonly #continentCodes: ReadonlyMap<string, number>;

  private constructor(parts: Omit<OfferIndexParts, "buffers">) {
    this.#parts = parts;
    this.#gpuCodes = new Map(parts.gpus.map((slug, code) => [slug, code]));
    this.#continentCodes = new Map(parts.continents.map((continent, code) => [continent, code]));
  }

  /** Builds the index in O(n log n). @throws RangeError if an id isn't a lower-case UUID, or is a duplicate. */
  static of(offers: Iterable<IndexedOffer>): OfferIndex {
    const builder = new OfferIndexBuilder();
    for (const offer of offers) {
      builder.add(offer);
    }
    return new OfferIndex(builder.build());
  }

  /** An index built elsewhere with {@link OfferIndexBuilder}, for example in another thread. */
  static fromParts(parts: Omit<OfferIndexParts, "buffers">): OfferIndex {
    return new OfferIndex(parts);
  }

  /** Position of each offer in list order: by pricePerGpu, priceHourly and id. */
  get listOrder(): Uint32Array {
    return this.#parts.pricePerGpu.asc.positionByRank;
  }

  /** Number of offers. */
  get size(): number {
    return this.#parts.idPositions.length;
  }

  /** Position in the input of the offer with this id, which may be any text; undefined if there is none. */
  find(id: string): number | undefined {
    return this.#between(id, id)[0];
  }

  /** Positions of the offers whose id is a text or begins with it; none if the text is shorter than {@link SHORT_ID}. */
  findByStart(text: string): Uint32Array {
    const start = text.toLowerCase();
    return start.length < SHORT_ID
      ? new Uint32Array()
      : this.#between(
          start + LOWEST_ID.slice(start.length),
          start + LOWEST_ID.slice(start.length).replaceAll("0", "f"),
        );
  }

  #between(first: string, last: string): Uint32Array {
    const [from, to] = [uuidWords(first), uuidWords(last)];
    if (from === undefined || to === undefined) {
      return new Uint32Array();
    }
    const { idWords, idPositions } = this.#parts;
    const compare = (place: number, id: number[]): number =>
      compareUuidWords(idWords, present(idPositions[place]), id, 0);
    const start = lowerBound(0, idPositions.length, (place) => compare(place, from) < 0);
    const end = lowerBound(start, idPositions.length, (place) => compare(place, to) <= 0);
    return idPositions.subarray(start, end);
  }

  /**
   * The page for a query: equal to {@link listOffers} over the same offers.
   * @throws RangeError for a parameter that a list doesn't have.
   */
  page(query: ListOffersQuery): OfferIndexPage {
    assertFollowed(query);
    const parts = this.#parts;
    const ordering = query.sort_by === "gpuCount" ? parts.pricePerGpu.asc : parts[query.sort_by][query.sort_order];
    let totalElements = 0;
    let skip = query.page * query.size;
    let wanted = query.size;
    const positions: number[] = [];
    for (const runs of this.#buckets(query)) {
      const available = runs.reduce((sum, run) => sum + run.end - run.start, 0);
      totalElements += available;
      if (skip >= available) {
        skip -= available;
      } else if (wanted > 0) {
        const taken = Math.min(wanted, available - skip);
        addMerged(positions, ordering, runs, skip, taken);
        skip = 0;
        wanted -= taken;
      }
    }
    return { positions, ...pageCounts(totalElements, query) };
  }

  /**
   * The groups that a query selects, in buckets that follow each other in its order. Sorted by price, that is one bucket.
   * Within one GPU count, the order by gpuCount is the order by pricePerGpu, so sorting by gpuCount needs no separate lists:
   * it is one bucket per count.
   */
  #buckets(query: ListOffersQuery): Slice[][] {
    const { gpuCounts } = this.#parts;
    const gpus = select(this.#gpuCodes, query.gpu);
    const continents = select(this.#continentCodes, query.continent);
    const { min_gpu_count: least = 1, max_gpu_count: most = Number.POSITIVE_INFINITY } = query;
    const counts: number[] = [];
    for (let code = 0; code < gpuCounts.length; code++) {
      const count = present(gpuCounts[code]);
      if (count >= least && count <= most) {
        counts.push(code);
      }
    }
    if (query.sort_by === "gpuCount") {
      const inOrder = query.sort_order === "asc" ? counts : counts.toReversed();
      return inOrder.map((code) => this.#runs(gpus, continents, [code]));
    }
    const areAllCounts = counts.length === gpuCounts.length;
    return gpus[0] === this.#gpuCodes.size && continents[0] === this.#continentCodes.size && areAllCounts
      ? [[{ start: 0, end: this.size, isAll: true }]]
      : [this.#runs(gpus, continents, areAllCounts ? [gpuCounts.length] : counts)];
  }

  #runs(gpus: readonly number[], continents: readonly number[], gpuCounts: readonly number[]): Slice[] {
    const { groupByKey, groupStarts } = this.#parts;
    const runs: Slice[] = [];
    for (const gpu of gpus) {
      for (const continent of continents) {
        for (const gpuCount of gpuCounts) {
          const group = groupByKey.get(groupKey(this.#parts, gpu, continent, gpuCount));
          if (group !== undefined) {
            runs.push({ start: present(groupStarts[group]), end: present(groupStarts[group + 1]) });
          }
        }
      }
    }
    return runs;
  }
}

/** Codes of the requested values that occur; the code of "any" if none or all are requested. */
function select(codes: ReadonlyMap<string, number>, wanted: readonly string[] | undefined): number[] {
  const selected: number[] = [];
  for (const value of wanted ?? []) {
    const code = codes.get(value);
    if (code !== undefined && !selected.includes(code)) {
      selected.push(code);
    }
  }
  return wanted === undefined || selected.length === codes.size ? [codes.size] : selected;
}

/** Adds the positions of the ranks `skip` to `skip + taken` of several ascending runs merged. */
function addMerged(
  positions: number[],
  { positionByRank, groupRanks }: Ordering,
  runs: readonly Slice[],
  skip: number,
  taken: number,
): void {
  if (runs[0]?.isAll === true) {
    for (const position of positionByRank.subarray(skip, skip + taken)) {
      positions.push(position);
    }
    return;
  }
  const isPlain = skip === 0 || runs.length === 1;
  const rankAt = (at: number): number => present(groupRanks[at]);
  const next = isPlain ? runs.map((run) => run.start + skip) : splitRuns(rankAt, runs, skip).below;
  for (let added = 0; added < taken; added++) {
    let first = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < runs.length; run++) {
      const at = present(next[run]);
      const rank = at < present(runs[run]).end ? present(groupRanks[at]) : least;
      if (rank < least) {
        least = rank;
        first = run;
      }
    }
    positions.push(present(positionByRank[least]));
    next[first] = present(next[first]) + 1;
  }
}
