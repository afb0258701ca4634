import { setImmediate as nextIteration } from "node:timers/promises";
import { expect, test } from "vitest";
import { addTurn, inSlices, nextTurn } from "./loop-turns.js";

/** Longer than a slice may take. */
const WORK_MS = 6;

function* slices(count: number, took: (slice: number) => void): Generator<void, number> {
  for (let slice = 0; slice < count; slice++) {
    const began = performance.now();
    do {
      took(slice);
    } while (performance.now() - began < WORK_MS);
    yield;
  }
  return count;
}

test("work in slices is done before other such work begins, and lets everything else run", async () => {
  const order = new Set<string>();
  const works = ["a", "b", "c"].map(async (name) => {
    await nextTurn();
    return inSlices(slices(3, (slice) => order.add(`${name}${slice}`)));
  });
  addTurn(() => order.add("turn"));
  await nextIteration();
  const probe = nextIteration().then(() => order.add("probe"));
  expect(await Promise.all(works)).toEqual([3, 3, 3]);
  await Promise.all([probe, nextTurn()]);
  const names = [...order];
  expect(names.indexOf("probe")).toBeLessThan(names.indexOf("b0"));
  order.delete("probe");
  expect([...order]).toEqual(["a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1", "c2", "turn"]);
});
