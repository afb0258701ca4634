import {
  ListingCursor,
  ListingIndex,
  listingTotal,
  present,
  toMicrosUp,
  type ListingCatalog,
  type Offer,
} from "@gpu-offers/domain";
import {
  decimalsFor,
  listingRows,
  memoizeLast,
  type CompactList,
  type CompactSource,
  type Decimals,
  type ListingRow,
  type Result,
} from "@gpu-offers/list";

// A loaded list, and what is read from it: rows, controls, and what tells listings apart.

/** A loaded list with what was made from it. */
export interface Catalog {
  list: CompactList;
  index: ListingIndex;
  /** Undefined until it is loaded. */
  named?: ListingCatalog | undefined;
  sources: ReadonlyMap<string, CompactSource>;
}

/** Makes a catalog of a list. */
export function catalogOf(list: CompactList): Catalog {
  const sources = new Map(list.sources.flatMap((source) => source.providers.map((name) => [name, source] as const)));
  return { list, index: new ListingIndex(list.columns), sources };
}

/** Decimals that show every price of a catalog, with the disk of a query. */
export const decimalsOf = memoizeLast(({ list }: Catalog, diskGb: number | undefined, isSpot: boolean): Decimals => {
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
  (catalog: Catalog, { positions, isSpot }: Result, open: ReadonlySet<string>): readonly ListingRow[] =>
    listingRows(
      positions,
      { index: catalog.index, kindOf: (at) => present(catalog.list.kinds[at]), isSpot },
      open.size === 0 ? () => false : (at) => open.has(kindText(catalog, at)),
    ),
);

/** A text for the group of a position: the same in another catalog. */
export function kindText({ list: { columns } }: Catalog, at: number): string {
  const { codes, values, numbers } = columns;
  return JSON.stringify([
    values.gpu[present(codes.gpu[at])]?.slug,
    values.provider[present(codes.provider[at])]?.name,
    values.terms[present(codes.terms[at])],
    values.instanceType[present(codes.instanceType[at])],
    [numbers.gpuCount, numbers.vcpu, numbers.ram].map((column) => column[at]),
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
      [offer.gpuCount, specs.vcpu, specs.ram],
    ]),
    region: offer.region,
    priceHourly: offer.priceHourly,
  };
}
