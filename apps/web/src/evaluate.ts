import {
  asSentence,
  isPlainQuery,
  ListingCursor,
  ListingIndex,
  listingOrder,
  listingTotal,
  plainListingFilter,
  present,
  toMicrosUp,
  type ListingOutcomes,
  type ListingQuery,
  type ListingSelection,
  type Offer,
  type PickerOrder,
  type Understood,
} from "@gpu-offers/domain";
import {
  decimalsFor,
  listingFacets,
  listingRows,
  memoizeLast,
  type CompactList,
  type CompactSource,
  type Decimals,
  type ListingFacetCounts,
  type ListingRow,
} from "@gpu-offers/list";
import type { NamedCatalog } from "./named-catalog.js";
import { quoted } from "./address.js";

// What a query shows of a catalog. All rules are the domain's; here they are applied to columns, and remembered.

/** A loaded list with what was made from it. */
export interface Catalog {
  list: CompactList;
  index: ListingIndex;
  /** Undefined until it is loaded. */
  named?: NamedCatalog | undefined;
  /** Orders of all positions, by the name of the order. */
  orders: Map<string, Uint32Array>;
  sources: ReadonlyMap<string, CompactSource>;
}

/** The result of a query. */
export interface Result {
  query: ListingQuery;
  selection: ListingSelection;
  outcomes: ListingOutcomes;
  /** Matches in order. */
  positions: Uint32Array;
  /** Number of matches that can be rented now. They come first. */
  available: number;
  isSpot: boolean;
  diskGb: number | undefined;
  hours: number | undefined;
  understood: readonly Understood[];
  /** Parameters that were left out, because they can't be right: sentences. */
  problems: readonly string[];
  decimals: Decimals;
}

/** Makes a catalog of a list. */
export function catalogOf(list: CompactList): Catalog {
  const sources = new Map(list.sources.flatMap((source) => source.providers.map((name) => [name, source] as const)));
  return { list, index: new ListingIndex(list.columns), orders: new Map(), sources };
}

/** Whether a query waits for {@link Catalog.named}. */
export function needsNames(query: ListingQuery): boolean {
  return !isPlainQuery(query);
}

/** Evaluates a query. If it needs names that aren't loaded, it is undefined. */
export function evaluate(catalog: Catalog, query: ListingQuery): Result | undefined {
  const prepared = prepare(catalog, query);
  if (prepared === undefined) {
    return undefined;
  }
  const { selection, understood, problems } = prepared;
  const { filter } = selection;
  const outcomes = catalog.index.outcomes(selection);
  const isSpot = filter.spot !== undefined;
  const positions = orderOf(catalog, selection.sort, isSpot).filter((at) => outcomes.codes[at] === 0);
  let available = positions.length;
  const isAvailable = availability(catalog.list);
  while (available > 0 && !isAvailable(present(positions[available - 1]))) {
    available--;
  }
  const { diskGb } = filter;
  return {
    query,
    selection,
    outcomes,
    positions,
    available,
    isSpot,
    diskGb,
    hours: query.hours,
    understood,
    problems,
    decimals: decimalsOf(catalog, diskGb, isSpot),
  };
}

interface Prepared {
  selection: ListingSelection;
  understood: readonly Understood[];
  problems: string[];
}

/** Reads a query; parameters that can't be right are left out one after another. */
function prepare({ named }: Catalog, query: ListingQuery): Prepared | undefined {
  if (named === undefined) {
    return needsNames(query)
      ? undefined
      : { selection: { filter: plainListingFilter(query), sort: listingOrder(query) }, understood: [], problems: [] };
  }
  const problems: string[] = [];
  const left: ListingQuery = { ...query };
  for (;;) {
    const prepared = named.prepare(left);
    const [problem] = prepared.problems;
    if (problem === undefined) {
      return { ...prepared, problems };
    }
    problems.push(`${asSentence(`${problem.parameter} ${problem.reason}`)} It is ignored.`);
    delete left[problem.parameter];
  }
}

/** All positions in an order; remembered, because typing changes what matches and not the order. */
function orderOf({ index, orders }: Catalog, sort: PickerOrder, isSpot: boolean): Uint32Array {
  const disk = sort.sort === "total" ? (sort.diskGb ?? 0) : Math.sign(sort.diskGb ?? 0);
  const name = `${sort.sort} ${sort.order} ${disk} ${isSpot}`;
  let order = orders.get(name);
  if (order === undefined) {
    order = index.selectAll({ filter: isSpot ? { spot: "bid" } : {}, sort }).slice();
    if (orders.size > MAX_ORDERS) {
      orders.clear();
    }
    orders.set(name, order);
  }
  return order;
}

const MAX_ORDERS = 20;

/** Whether the listing at a position can be rented now. */
export const availability = memoizeLast((list: CompactList): ((at: number) => boolean) => {
  const cursor = new ListingCursor(list.columns);
  return (at) => {
    cursor.at = at;
    return cursor.offer.isAvailable;
  };
});

const decimalsOf = memoizeLast(({ list }: Catalog, diskGb: number | undefined, isSpot: boolean): Decimals => {
  const cursor = new ListingCursor(list.columns, isSpot);
  function* prices(): Generator<number> {
    for (let at = 0; at < list.columns.size; at++) {
      cursor.at = at;
      yield toMicrosUp(cursor.offer.pricePerGpu);
      yield toMicrosUp(listingTotal(cursor.offer, { disk: diskGb }).hourly);
    }
  }
  return decimalsFor(prices());
});

/** The listing at a position, at the price of the query. */
export function listingAt({ list }: Catalog, at: number, isSpot: boolean): ListingCursor["listing"] & { offer: Offer } {
  const cursor = new ListingCursor(list.columns, isSpot);
  cursor.at = at;
  return cursor.listing;
}

/** The rows of a result; `open` has the texts of open groups, see {@link kindText}. */
export const rowsOfResult = memoizeLast(
  (catalog: Catalog, { positions, isSpot }: Result, open: ReadonlySet<string>): readonly ListingRow[] => {
    const { columns, kinds } = catalog.list;
    const { gpuCount, priceHourly, spotPrice } = columns.numbers;
    return listingRows(
      positions,
      { kinds, gpuCount, price: isSpot ? spotPrice : priceHourly, isAvailable: availability(catalog.list) },
      open.size === 0 ? () => false : (at) => open.has(kindText(catalog, at)),
    );
  },
);

/** Counts of facets. */
export const facetsOf = memoizeLast(({ list }: Catalog, { outcomes }: Result): ListingFacetCounts =>
  listingFacets(list.columns, outcomes),
);

/** Number of matches that are left out because their hosts aren't verified. */
export function unverifiedCount({ outcomes: { codes, keys } }: Result): number {
  const own = keys.indexOf("verified") + 1;
  return own === 0 ? 0 : codes.reduce((count, code) => count + (code === own ? 1 : 0), 0);
}

/** For each filter that excludes all by itself, how many listings it excludes. */
export function excludedCounts({ outcomes: { codes, keys } }: Result): Map<string, number> {
  const counts = new Map<string, number>();
  for (const code of codes) {
    const key = code === 0 ? undefined : keys[code - 1];
    if (key !== undefined) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

/** A text for the group of a position: the same in another catalog. */
export function kindText({ list: { columns } }: Catalog, at: number): string {
  const { codes, values, numbers } = columns;
  return JSON.stringify([
    values.gpu[present(codes.gpu[at])]?.slug,
    values.provider[present(codes.provider[at])]?.name,
    values.terms[present(codes.terms[at])],
    values.instanceType[present(codes.instanceType[at])],
    [numbers.gpuCount, numbers.vcpu, numbers.ram, numbers.storageMinGB, numbers.storageMaxGB].map(
      (column) => column[at],
    ),
  ]);
}

/** What tells a listing from others: its group, its region, and of equal ones its price. */
export interface Identity {
  kind: string;
  region: string | undefined;
  priceHourly: number | undefined;
}

/** The identity of the listing at a position. */
export function identityAt(catalog: Catalog, at: number): Identity {
  const { codes, values, numbers } = catalog.list.columns;
  return {
    kind: kindText(catalog, at),
    region: values.place[present(codes.place[at])]?.region,
    priceHourly: numbers.priceHourly[at],
  };
}

/** The position of a listing in a catalog, the nearest in price; undefined if it has none. */
export function findPosition(catalog: Catalog, { kind, region, priceHourly = 0 }: Identity): number | undefined {
  const { codes, values, numbers, size } = catalog.list.columns;
  const places = new Set(values.place.flatMap((place, code) => (place.region === region ? [code] : [])));
  const [slug] = JSON.parse(kind) as [string];
  const gpus = new Set(values.gpu.flatMap((gpu, code) => (gpu.slug === slug ? [code] : [])));
  let best: number | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (let at = 0; at < size; at++) {
    if (places.has(present(codes.place[at])) && gpus.has(present(codes.gpu[at]))) {
      const away = Math.abs(present(numbers.priceHourly[at]) - priceHourly);
      if (away < distance && kindText(catalog, at) === kind) {
        best = at;
        distance = away;
      }
    }
  }
  return best;
}

/** The identity of a listing of the service. */
export function identityOf({
  offer,
  ...facts
}: {
  offer: Offer;
  instanceType: string | null;
  seller: string | null;
  verified: boolean | null;
}): Identity {
  const { deploymentType, interconnect, specs } = offer;
  return {
    kind: JSON.stringify([
      offer.gpu.slug,
      offer.provider.name,
      { deploymentType, interconnect, seller: facts.seller, verified: facts.verified },
      facts.instanceType,
      [offer.gpuCount, specs.vcpu, specs.ram, offer.storageMinGB, offer.storageMaxGB],
    ]),
    region: offer.region,
    priceHourly: offer.priceHourly,
  };
}

/** Words of a query, and what they were taken for. */
export function understoodText({ text, as }: Understood): string {
  return `${quoted(text)}: ${as}`;
}
