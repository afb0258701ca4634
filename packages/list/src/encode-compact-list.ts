import { fromMicros, newColumns, present, toMicros, UNKNOWN_STOCK, type ListingColumnParts } from "@gpu-offers/domain";
import {
  COMPACT_VERSION,
  KIND_CODES,
  KIND_NUMBERS,
  type CompactFile,
  type CompactListContent,
  type KindColumns,
} from "./compact-list.js";
import { ListingKinds } from "./listing-kinds.js";
import { ENCODED_AT_ONCE, orderNumbers } from "./order-numbers.js";

/**
 * Encodes listings as JSON, in parts that follow one another. Other work may run between the parts, some of which are empty:
 * each takes a few milliseconds.
 * @throws RangeError for a price with more than 6 decimals, which no catalog has.
 */
export function* encodeCompactList(content: CompactListContent): Generator<string, void> {
  const { etag, sources, notices, images, gone, columns, order, stale, reliabilityAt } = content;
  const { codes, numbers, values } = columns;
  const inOrder = Array.from(order);
  const kinds = new ListingKinds(columns);
  /** The first listing of each kind, which has what they have in common. */
  const firsts: number[] = [];
  const kind: number[] = [];
  const reliability: (number | null)[] = [];
  for (const [index, position] of inOrder.entries()) {
    const number = kinds.of(position);
    firsts[number] ??= position;
    kind.push(number);
    reliability.push(reliabilityAt(position));
    if (index % ENCODED_AT_ONCE === ENCODED_AT_ONCE - 1) {
      yield "";
    }
  }
  const kindColumns: KindColumns = {
    ...newColumns(KIND_CODES, (name) => firsts.map((position) => present(codes[name][position]))),
    ...newColumns(KIND_NUMBERS, (name) => firsts.map((position) => present(numbers[name][position]))),
  };
  const spot = inOrder.map((position) => spotMicros(columns, position));
  yield `{"v":${COMPACT_VERSION},"etag":${JSON.stringify(etag)},"sources":${JSON.stringify(sources)},"notices":${JSON.stringify(notices)},`;
  yield `"images":${JSON.stringify([...images])},"gone":${JSON.stringify(gone)},"values":${JSON.stringify(values)},"kinds":${JSON.stringify(kindColumns)},`;
  const each: Pick<CompactFile, "kind" | "place" | "price" | "spot" | "flags" | "reliability" | "stock"> = {
    kind,
    place: inOrder.map((position) => present(codes.place[position])),
    price: priceSteps(
      inOrder.map((position) => exactMicros(present(numbers.priceHourly[position]))),
      inOrder.map((position) => present(numbers.gpuCount[position])),
    ),
    spot,
    flags: inOrder.map((position) => present(columns.flags[position])),
    reliability: reliability.every((value) => value === null) ? [] : reliability,
    stock: numbers.stock.every((value) => value === UNKNOWN_STOCK)
      ? []
      : inOrder.map((position) => present(numbers.stock[position])),
  };
  for (const [name, column] of Object.entries(each)) {
    yield `"${name}":${JSON.stringify(column)},`;
  }
  const stalePositions = inOrder.flatMap((position, index) => (stale[position] === 1 ? [index] : []));
  yield `"stale":${JSON.stringify(stalePositions)},`;
  yield `"order":${JSON.stringify(yield* orderNumbers(columns, inOrder, spot))}}`;
}

/** Prices as differences, see {@link CompactFile.price}. */
function priceSteps(prices: readonly number[], gpuCounts: ArrayLike<number>): number[] {
  const last = new Map<number, number>();
  return prices.map((price, position) => {
    const count = present(gpuCounts[position]);
    const step = price - (last.get(count) ?? 0);
    last.set(count, price);
    return step;
  });
}

/** Micro-dollars of a spot price; 0 if there is none. */
function spotMicros({ numbers }: ListingColumnParts, position: number): number {
  const price = present(numbers.spotPrice[position]);
  return Number.isNaN(price) ? 0 : exactMicros(price);
}

/** @throws RangeError if a price isn't a whole number of micro-dollars. */
function exactMicros(usd: number): number {
  const micros = toMicros(usd);
  if (fromMicros(micros) !== usd) {
    throw new RangeError(`A price must have at most 6 decimals, unlike ${usd}.`);
  }
  return micros;
}
