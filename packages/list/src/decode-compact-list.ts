import { fromMicros, newColumns, present, pricePerGpu, UNKNOWN_STOCK } from "@gpu-offers/domain";
import { COMPACT_VERSION, KIND_CODES, KIND_NUMBERS, type CompactFile, type CompactList } from "./compact-list.js";

/** Decodes the parsed JSON of a compact list. @throws RangeError if it is of another version, or damaged. */
export function decodeCompactList(json: unknown): CompactList {
  // Checked below, as far as a damaged file could give a wrong list
  const file = json as CompactFile;
  if (file?.v !== COMPACT_VERSION) {
    throw new RangeError(`The list has format ${file?.v}, not ${COMPACT_VERSION}.`);
  }
  const size = file.price.length;
  const kindCount = file.kinds.gpu.length;
  checkColumn(file.kind, size, kindCount);
  checkColumn(file.place, size, file.values.place.length);
  for (const key of KIND_CODES) {
    checkColumn(file.kinds[key], kindCount, file.values[key].length);
  }
  const spread = (column: readonly number[]) => Float64Array.from(file.kind, (kind) => present(column[kind]));
  const codes = {
    ...newColumns(KIND_CODES, (key) => Uint32Array.from(spread(file.kinds[key]))),
    place: Uint32Array.from(file.place),
  };
  const kindNumbers = newColumns(KIND_NUMBERS, (key) => spread(file.kinds[key]));
  const prices = priceSums(file.price, kindNumbers.gpuCount);
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
    notices: file.notices,
    images: new Map(file.images),
    gone: file.gone,
    columns: {
      size,
      ids: orderIds(size, file.order),
      values: file.values,
      firsts: newColumns([...KIND_CODES, "place"], (key) => firstsOf(codes[key])),
      codes,
      numbers: {
        ...kindNumbers,
        priceHourly,
        pricePerGpu: priceHourly.map((price, position) => pricePerGpu(price, present(kindNumbers.gpuCount[position]))),
        stock: Uint8Array.from({ length: size }, (_, position) => file.stock[position] ?? UNKNOWN_STOCK),
        spotPrice: Float64Array.from(file.spot, (micros) => (micros === 0 ? Number.NaN : fromMicros(micros))),
      },
      flags: Uint8Array.from(file.flags),
    },
    kinds: Uint32Array.from(file.kind),
    stale,
    reliability: Float64Array.from({ length: size }, (_, position) => file.reliability[position] ?? Number.NaN),
  };
}

/** Prices from their differences. */
function priceSums(steps: readonly number[], gpuCounts: ArrayLike<number>): number[] {
  const last = new Map<number, number>();
  return steps.map((step, position) => {
    const count = present(gpuCounts[position]);
    const price = (last.get(count) ?? 0) + step;
    last.set(count, price);
    return price;
  });
}

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

function firstsOf(codes: Uint32Array): number[] {
  const firsts: number[] = [];
  for (const [position, code] of codes.entries()) {
    firsts[code] ??= position;
  }
  return firsts;
}

function checkColumn(column: readonly number[], length: number, limit = Number.MAX_SAFE_INTEGER): void {
  if (column.length !== length || !column.every((value) => Number.isInteger(value) && value >= 0 && value < limit)) {
    throw new RangeError("The list is damaged: reload it.");
  }
}
