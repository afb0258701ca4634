import {
  ListingCursor,
  ListingIndex,
  listingTotal,
  present,
  pricedOffer,
  toMicrosUp,
  type ListingCatalog,
  type Offer,
} from "@gpu-offers/domain";
import {
  ageOf,
  decimalsFor,
  diskOf,
  listingRows,
  memoizeLast,
  type CompactList,
  type Decimals,
  type ListingRow,
  type Result,
} from "@gpu-offers/list";

// A loaded list, and what is read from it: rows, controls, and what tells listings apart.

/** A loaded list with what was made from it. */
export interface Catalog {
  list: CompactList;
  index: ListingIndex;
  named?: ListingCatalog | undefined;
  /** Dates of prices by provider, where known. */
  pricesAsOf: ReadonlyMap<string, string>;
}

export function catalogOf(list: CompactList): Catalog {
  return { list, index: new ListingIndex(list.columns), pricesAsOf: ageOf(list).pricesAsOf };
}

/** Decimals that show every price of a catalog, with the disk of a query. */
export const decimalsOf = memoizeLast(({ list }: Catalog, diskGb: number | undefined, isSpot: boolean): Decimals => {
  const cursor = new ListingCursor(list.columns, isSpot);
  function* prices(): Generator<number> {
    for (let at = 0; at < list.columns.size; at++) {
      cursor.at = at;
      yield toMicrosUp(cursor.offer.pricePerGpu);
      yield toMicrosUp(listingTotal(cursor.offer, { disk: diskOf(cursor.offer, diskGb) }).hourly);
    }
  }
  return decimalsFor(prices());
});

function cursorAt({ list }: Catalog, at: number): ListingCursor {
  return Object.assign(new ListingCursor(list.columns, false), { at });
}

/** The listing at a position. Its offer is at the price of the query, and has its disks. */
export function listingAt(catalog: Catalog, at: number, isSpot: boolean): ListingCursor["listing"] {
  const { listing } = cursorAt(catalog, at);
  return { ...listing, offer: pricedOffer(listing, isSpot) };
}

/** The rows of a result; `open` has the texts of open groups, see {@link Identity}. */
export const rowsOfResult = memoizeLast(
  (catalog: Catalog, { positions, isSpot }: Result, open: ReadonlySet<string>): readonly ListingRow[] =>
    listingRows(
      positions,
      { index: catalog.index, kindOf: (at) => present(catalog.list.kinds[at]), isSpot },
      open.size === 0 ? () => false : (at) => open.has(identityAt(catalog, at).kind),
    ),
);

/** The facts of a listing, of the list or of the service, that tell it from others. */
interface Told {
  offer: Offer;
  instanceType: string | null;
  seller: string | null;
  verified: boolean | null;
}

/** What tells a listing from others: its group, its region, and of equal ones its price. */
export interface Identity {
  /** A text for its group: the same in another catalog. */
  kind: string;
  region: string | undefined;
  priceHourly: number;
}

export function identityOf({ offer, instanceType, seller, verified }: Told): Identity {
  const { gpu, provider, deploymentType, interconnect, gpuCount, specs, region, priceHourly } = offer;
  const terms = [deploymentType, interconnect, seller, verified];
  const kind = JSON.stringify([gpu.slug, provider.name, terms, instanceType, gpuCount, specs.vcpu, specs.ram]);
  return { kind, region, priceHourly };
}

/** The identity of the listing at a position. */
export function identityAt(catalog: Catalog, at: number): Identity {
  return identityOf(cursorAt(catalog, at));
}

/** The position of a listing in a catalog, the nearest in price; undefined if it has none. */
export function findPosition(catalog: Catalog, { kind, region, priceHourly }: Identity): number | undefined {
  const { codes, values, numbers, size } = catalog.list.columns;
  const [slug] = JSON.parse(kind) as [string];
  let best: number | undefined;
  let distance = Number.POSITIVE_INFINITY;
  for (let at = 0; at < size; at++) {
    const isThere = values.place[present(codes.place[at])]?.region === region;
    const away = Math.abs(present(numbers.priceHourly[at]) - priceHourly);
    if (
      isThere &&
      away < distance &&
      values.gpu[present(codes.gpu[at])]?.slug === slug &&
      identityAt(catalog, at).kind === kind
    ) {
      best = at;
      distance = away;
    }
  }
  return best;
}
