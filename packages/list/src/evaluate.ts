import {
  asSentence,
  isPlainQuery,
  leftOut,
  listingOrder,
  plainFilter,
  present,
  type LeftOut,
  type ListingCatalog,
  type ListingIndex,
  type ListingOutcomes,
  type ListingParameterName,
  type ListingQuery,
  type ListingSelection,
  type PreparedQuery,
  type Understood,
} from "@gpu-offers/domain";
import { countText } from "./count-text.js";
import { shownDiskGb } from "./shown-disk.js";

// What a query shows of a catalog. All rules are the domain's.

export interface SearchedCatalog {
  index: ListingIndex;
  /** Reads words and names; undefined until it is loaded. */
  named?: Pick<ListingCatalog, "prepare"> | undefined;
}

export interface Result {
  /** The query as it was evaluated: with what its words wish for, without the parameters that can't be right. */
  query: ListingQuery;
  selection: ListingSelection;
  outcomes: ListingOutcomes;
  positions: Uint32Array;
  /** Number of matches that aren't sold out. They come first. */
  available: number;
  /** Whether prices are spot prices. */
  isSpot: boolean;
  diskGb: number | undefined;
  /** The disk that a page shows offers with: see {@link shownDiskGb}. */
  shownDiskGb: number | undefined;
  hours: number | undefined;
  understood: readonly Understood[];
  /** Its words as they were read; undefined without words. */
  search: PreparedQuery["search"];
  /** Parameters that were left out, because they can't be right: sentences. */
  problems: readonly string[];
}

/** Evaluates a query. If it needs names that aren't loaded, the result is undefined. */
export function evaluate({ index, named }: SearchedCatalog, query: ListingQuery): Result | undefined {
  const prepared = named === undefined ? preparePlain(query) : prepare(named, query);
  if (prepared === undefined) {
    return undefined;
  }
  const { selection } = prepared;
  const { positions, outcomes } = index.evaluate(selection);
  let available = positions.length;
  while (available > 0 && index.availabilityAt(present(positions[available - 1])) === "sold_out") {
    available--;
  }
  return {
    ...prepared,
    outcomes,
    positions,
    available,
    isSpot: selection.filter.spot !== undefined,
    diskGb: selection.filter.disk,
    shownDiskGb: shownDiskGb(prepared.query, selection),
    hours: prepared.query.hours,
  };
}

type Prepared = Pick<Result, "query" | "selection" | "understood" | "search" | "problems">;

function preparePlain(query: ListingQuery): Prepared | undefined {
  const selection = { filter: plainFilter(query), sort: listingOrder(query) };
  return isPlainQuery(query) ? { query, selection, understood: [], search: undefined, problems: [] } : undefined;
}

/** Reads a query; parameters that can't be right are left out one after another. */
function prepare(named: Pick<ListingCatalog, "prepare">, given: ListingQuery): Prepared {
  const problems: string[] = [];
  const query: ListingQuery = { ...given };
  for (;;) {
    const { query: wished, search, selection, understood, problems: found } = named.prepare(query);
    const [problem] = found;
    if (problem === undefined) {
      return { query: wished, selection, understood, search, problems };
    }
    problems.push(`${asSentence(`${problem.parameter} ${problem.reason}`)} It is ignored.`);
    delete query[problem.parameter];
  }
}

/** How many listings each filter alone excludes, most first, without zeros. */
export function exclusions({ outcomes: { codes, keys } }: Pick<Result, "outcomes">): {
  name: ListingParameterName;
  count: number;
}[] {
  const counts = new Uint32Array(keys.length + 1);
  for (const code of codes) {
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return keys
    .map((name, index) => ({ name, count: present(counts[index + 1]) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** What the defaults of doors leave out of a result. */
export function leftOutOf(result: Pick<Result, "outcomes" | "selection">): LeftOut[] {
  return leftOut(result.selection.filter, new Map(exclusions(result).map(({ name, count }) => [name, count])));
}

/** Says what a default leaves out: `12 of unverified hosts left out`. */
export function leftOutText({ count, words }: LeftOut): string {
  return `${countText(count)} ${words} left out`;
}
