import {
  compareIds,
  fromMicros,
  ListingCursor,
  present,
  pricePerGpu,
  type ListingColumnParts,
  type Offer,
} from "@gpu-offers/domain";
import type { CompactFile } from "./compact-list.js";

/** Number of listings to encode before other work may run: some milliseconds. */
export const ENCODED_AT_ONCE = 2_000;

/**
 * Order numbers of listings in list order. Lists sort machines of equal price and size by id. Equal on-demand prices are in
 * the order of their ids; equal spot prices needn't be, so the listings that are connected by equal prices share their
 * positions out by id.
 */
export function* orderNumbers(
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
  const groups = Map.groupBy(inOrder.keys(), rootOf);
  yield "";
  const moved: { index: number; by: number }[] = [];
  for (const group of groups.values()) {
    const byId = group.toSorted((a, b) => compareIds(ids, present(inOrder[a]), present(inOrder[b])));
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
