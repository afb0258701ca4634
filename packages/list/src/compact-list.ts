import {
  fromMicros,
  ListingCursor,
  present,
  pricePerGpu,
  toMicros,
  type ListingColumnParts,
  type Offer,
  type RestrictedImage,
  type SourceStatus,
} from "@gpu-offers/domain";

// All listings of a catalog in one small file, for the page: columns of numbers, and dictionaries of what many listings
// share. It has no ids, which can't be compressed: the position in list order does their work. `GET /api/v1/offers?size=1&page=<position>`
// returns the offer with its id. Service and page are of one version, so the file is checked, but not converted.

/** Changes with the format. */
const VERSION = 2;

/** Number of listings to encode before other work may run: some milliseconds. */
const ENCODED_AT_ONCE = 2_000;

/** What the page shows of a source. */
export type CompactSource = Pick<SourceStatus, "name" | "providers" | "state" | "stock" | "pricesAsOf" | "offers">;

/** The content of the file besides its columns. */
interface CompactHead {
  /** Entity tag of the catalog, as of `GET /api/v1/offers`. */
  etag: string;
  sources: readonly CompactSource[];
  images: ReadonlyMap<string, readonly RestrictedImage[]>;
}

/** What {@link encodeCompactList} writes. Its columns are those of the service, in any order. */
export interface CompactListContent extends CompactHead {
  columns: ListingColumnParts;
  /** Positions in list order: by pricePerGpu, priceHourly and id. */
  order: ArrayLike<number>;
  /** 1 for listings that weren't confirmed for too long. */
  stale: ArrayLike<number>;
  /** Reliability of the host, from 0 to 1; null if unknown. */
  reliabilityAt: (position: number) => number | null;
}

/** All listings in list order. */
export interface CompactList extends CompactHead {
  /** The ids are order numbers: of equal listings, they are in the order of the real ids. */
  columns: ListingColumnParts;
  /** Listings of one kind differ in place, price and availability only. */
  kinds: Uint32Array<ArrayBuffer>;
  /** 1 for listings that weren't confirmed for too long. */
  stale: Uint8Array<ArrayBuffer>;
  /** NaN if unknown. */
  reliability: Float64Array<ArrayBuffer>;
}

/** Shared values of a kind, by their codes. */
const KIND_CODES = ["gpu", "provider", "terms", "instanceType"] as const;
const KIND_NUMBERS = ["gpuCount", "vcpu", "ram", "disk", "storageMinGB", "storageMaxGB"] as const;

type KindColumns = Record<(typeof KIND_CODES)[number] | (typeof KIND_NUMBERS)[number] | "storageCost", number[]>;

/** The file as parsed JSON. Prices are micro-dollars. */
interface CompactFile {
  v: number;
  etag: string;
  sources: CompactSource[];
  images: [provider: string, images: RestrictedImage[]][];
  values: ListingColumnParts["values"];
  kinds: KindColumns;
  /** The kind of each listing. */
  kind: number[];
  place: number[];
  /** See {@link priceSteps}. */
  price: number[];
  /** 0 without a spot price. */
  spot: number[];
  /** See ListingColumnParts. */
  flags: number[];
  /** Empty if unknown for all. */
  reliability: (number | null)[];
  /** Positions of stale listings. */
  stale: number[];
  /** Positions whose order number isn't the position, each as its distance from the last one, and by how much it differs. */
  order: [steps: number[], differences: number[]];
}

/**
 * Encodes listings as JSON, in parts that follow one another. Other work may run between the parts, some of which are empty:
 * each takes a few milliseconds.
 * @throws RangeError for a price with more than 6 decimals, which no catalog has.
 */
export function* encodeCompactList(content: CompactListContent): Generator<string, void> {
  const { etag, sources, images, columns, order, stale, reliabilityAt } = content;
  const { codes, numbers, values } = columns;
  const inOrder = Array.from(order);
  const kinds = new KindTable(columns);
  const kind: number[] = [];
  const reliability: (number | null)[] = [];
  for (const [index, position] of inOrder.entries()) {
    kind.push(kinds.numberOf(position));
    reliability.push(reliabilityAt(position));
    if (index % ENCODED_AT_ONCE === ENCODED_AT_ONCE - 1) {
      yield "";
    }
  }
  const spot = inOrder.map((position) => spotMicros(columns, position));
  yield `{"v":${VERSION},"etag":${JSON.stringify(etag)},"sources":${JSON.stringify(sources)},`;
  yield `"images":${JSON.stringify([...images])},"values":${JSON.stringify(values)},"kinds":${JSON.stringify(kinds.columns)},`;
  const each: Pick<CompactFile, "kind" | "place" | "price" | "spot" | "flags" | "reliability"> = {
    kind,
    place: inOrder.map((position) => present(codes.place[position])),
    price: priceSteps(
      inOrder.map((position) => exactMicros(present(numbers.priceHourly[position]))),
      inOrder.map((position) => present(numbers.gpuCount[position])),
    ),
    spot,
    flags: inOrder.map((position) => present(columns.flags[position])),
    reliability: reliability.every((value) => value === null) ? [] : reliability,
  };
  for (const [name, column] of Object.entries(each)) {
    yield `"${name}":${JSON.stringify(column)},`;
  }
  const stalePositions = inOrder.flatMap((position, index) => (stale[position] === 1 ? [index] : []));
  yield `"stale":${JSON.stringify(stalePositions)},`;
  yield `"order":${JSON.stringify(yield* orderNumbers(columns, inOrder, spot))}}`;
}

/**
 * Decodes the parsed JSON of {@link encodeCompactList}.
 * @throws RangeError if it is of another version, or damaged.
 */
export function decodeCompactList(json: unknown): CompactList {
  // Checked below, as far as a damaged file could give a wrong list
  const file = json as CompactFile;
  if (file?.v !== VERSION) {
    throw new RangeError(`The list has format ${file?.v}, not ${VERSION}.`);
  }
  const size = file.price.length;
  const kindCount = file.kinds.gpu.length;
  checkColumn(file.kind, size, kindCount);
  checkColumn(file.place, size, file.values.place.length);
  for (const key of KIND_CODES) {
    checkColumn(file.kinds[key], kindCount, file.values[key].length);
  }
  const spread = (column: readonly number[]) => Float64Array.from(file.kind, (kind) => present(column[kind]));
  const codesOf = (key: (typeof KIND_CODES)[number]) => Uint32Array.from(spread(file.kinds[key]));
  const codes = {
    gpu: codesOf("gpu"),
    provider: codesOf("provider"),
    terms: codesOf("terms"),
    instanceType: codesOf("instanceType"),
    place: Uint32Array.from(file.place),
  };
  const gpuCount = spread(file.kinds.gpuCount);
  const prices = priceSums(file.price, gpuCount);
  for (const column of [prices, file.spot, file.flags]) {
    checkColumn(column, size);
  }
  const priceHourly = Float64Array.from(prices, fromMicros);
  const stale = new Uint8Array(size);
  for (const position of file.stale) {
    stale[position] = 1;
  }
  return {
    etag: file.etag,
    sources: file.sources,
    images: new Map(file.images),
    columns: {
      size,
      ids: orderIds(size, file.order),
      values: file.values,
      firsts: {
        gpu: firstsOf(codes.gpu),
        provider: firstsOf(codes.provider),
        terms: firstsOf(codes.terms),
        instanceType: firstsOf(codes.instanceType),
        place: firstsOf(codes.place),
      },
      codes,
      numbers: {
        gpuCount,
        priceHourly,
        pricePerGpu: priceHourly.map((price, position) => pricePerGpu(price, present(gpuCount[position]))),
        vcpu: spread(file.kinds.vcpu),
        ram: spread(file.kinds.ram),
        disk: spread(file.kinds.disk),
        storageCostPerGB: spread(file.kinds.storageCost).map(fromMicros),
        storageMinGB: spread(file.kinds.storageMinGB),
        storageMaxGB: spread(file.kinds.storageMaxGB),
        spotPrice: Float64Array.from(file.spot, (micros) => (micros === 0 ? Number.NaN : fromMicros(micros))),
      },
      flags: Uint8Array.from(file.flags),
    },
    kinds: Uint32Array.from(file.kind),
    stale,
    reliability: Float64Array.from({ length: size }, (_, position) => file.reliability[position] ?? Number.NaN),
  };
}

/** Distinct combinations of what doesn't depend on the place. */
class KindTable {
  readonly columns: KindColumns;
  readonly #columns: ListingColumnParts;
  readonly #numbers = new Map<string, number>();

  constructor(columns: ListingColumnParts) {
    this.#columns = columns;
    const names = [...KIND_CODES, ...KIND_NUMBERS, "storageCost" as const];
    // One key for each name
    this.columns = Object.fromEntries(names.map((name) => [name, [] as number[]])) as KindColumns;
  }

  /** The number of the kind at a position. */
  numberOf(position: number): number {
    const { codes, numbers } = this.#columns;
    const values: Record<keyof KindColumns, number> = {
      gpu: present(codes.gpu[position]),
      provider: present(codes.provider[position]),
      terms: present(codes.terms[position]),
      instanceType: present(codes.instanceType[position]),
      gpuCount: present(numbers.gpuCount[position]),
      vcpu: present(numbers.vcpu[position]),
      ram: present(numbers.ram[position]),
      disk: present(numbers.disk[position]),
      storageMinGB: present(numbers.storageMinGB[position]),
      storageMaxGB: present(numbers.storageMaxGB[position]),
      storageCost: exactMicros(present(numbers.storageCostPerGB[position])),
    };
    const key = Object.values(values).join(" ");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(key, number);
      for (const [name, column] of Object.entries(this.columns)) {
        column.push(values[name as keyof KindColumns]);
      }
    }
    return number;
  }
}

/** Prices as differences to the last one for as many GPUs. In list order they are small: a tenth less to compress. */
function priceSteps(prices: readonly number[], gpuCounts: ArrayLike<number>): number[] {
  const last = new Map<number, number>();
  return prices.map((price, position) => {
    const count = present(gpuCounts[position]);
    const step = price - (last.get(count) ?? 0);
    last.set(count, price);
    return step;
  });
}

/** The prices of {@link priceSteps}. */
function priceSums(steps: readonly number[], gpuCounts: ArrayLike<number>): number[] {
  const last = new Map<number, number>();
  return steps.map((step, position) => {
    const count = present(gpuCounts[position]);
    const price = (last.get(count) ?? 0) + step;
    last.set(count, price);
    return price;
  });
}

/** Micro-dollars of a spot price; 0 if there is none. */
function spotMicros({ numbers }: ListingColumnParts, position: number): number {
  const price = present(numbers.spotPrice[position]);
  return Number.isNaN(price) ? 0 : exactMicros(price);
}

/**
 * Order numbers of listings in list order. Lists sort machines of equal price and size by id. Equal on-demand prices are in
 * the order of their ids; equal spot prices needn't be, so the listings that are connected by equal prices share their
 * positions out by id.
 */
function* orderNumbers(
  columns: ListingColumnParts,
  inOrder: readonly number[],
  spot: readonly number[],
): Generator<string, CompactFile["order"]> {
  const { ids, numbers } = columns;
  const cursor = new ListingCursor(columns);
  const parents = inOrder.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    for (let parent = present(parents[root]); parent !== root; parent = present(parents[root])) {
      parents[root] = present(parents[parent]);
      root = parent;
    }
    return root;
  };
  const known = new Map<string, number>();
  const connect = (key: string, index: number): void => {
    const other = known.get(key);
    if (other === undefined) {
      known.set(key, index);
    } else {
      parents[rootOf(index)] = rootOf(other);
    }
  };
  for (const [index, position] of inOrder.entries()) {
    cursor.at = position;
    const size = sizeOf(cursor.offer);
    connect(`${numbers.pricePerGpu[position]} ${numbers.priceHourly[position]} ${size}`, index);
    const micros = present(spot[index]);
    if (micros !== 0) {
      const perGpu = pricePerGpu(fromMicros(micros), present(numbers.gpuCount[position]));
      connect(`spot ${perGpu} ${micros} ${size}`, index);
    }
    if (index % ENCODED_AT_ONCE === ENCODED_AT_ONCE - 1) {
      yield "";
    }
  }
  const groups = new Map<number, number[]>();
  for (const index of inOrder.keys()) {
    const root = rootOf(index);
    const group = groups.get(root);
    if (group === undefined) {
      groups.set(root, [index]);
    } else {
      group.push(index);
    }
  }
  yield "";
  const moved: { index: number; by: number }[] = [];
  const idAt = (index: number): string => present(ids[present(inOrder[index])]);
  for (const group of groups.values()) {
    const byId = group.toSorted((a, b) => (idAt(a) < idAt(b) ? -1 : 1));
    for (const [place, index] of byId.entries()) {
      const by = present(group[place]) - index;
      if (by !== 0) {
        moved.push({ index, by });
      }
    }
  }
  moved.sort((a, b) => a.index - b.index);
  return [moved.map(({ index }, place) => index - (moved[place - 1]?.index ?? 0)), moved.map(({ by }) => by)];
}

/** The size of a machine, as lists compare it at equal prices. */
function sizeOf({ gpu, nvlinkEnabled, specs }: Offer): string {
  return [gpu.vramGB, nvlinkEnabled, specs.vcpu, specs.ram, specs.disk].join(" ");
}

/** Order numbers as ids, which sort as text. */
function orderIds(size: number, [steps, differences]: CompactFile["order"]): string[] {
  const digits = String(size).length;
  const ids = Array.from({ length: size }, (_, position) => String(position).padStart(digits, "0"));
  let position = 0;
  for (const [index, step] of steps.entries()) {
    position += step;
    ids[position] = String(position + present(differences[index])).padStart(digits, "0");
  }
  return ids;
}

/** Position of the first listing with each code. */
function firstsOf(codes: Uint32Array): number[] {
  const firsts: number[] = [];
  for (const [position, code] of codes.entries()) {
    firsts[code] ??= position;
  }
  return firsts;
}

/** @throws RangeError if a price isn't a whole number of micro-dollars. */
function exactMicros(usd: number): number {
  const micros = toMicros(usd);
  if (fromMicros(micros) !== usd) {
    throw new RangeError(`A price must have at most 6 decimals, unlike ${usd}.`);
  }
  return micros;
}

function checkColumn(column: readonly number[], length: number, limit = Number.MAX_SAFE_INTEGER): void {
  if (column.length !== length || !column.every((value) => Number.isInteger(value) && value >= 0 && value < limit)) {
    throw new RangeError("The list is damaged: reload it.");
  }
}
