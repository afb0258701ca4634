import { expect, test } from "vitest";
import { packColumns } from "./pack-columns.js";

test("columns move into one buffer with their content, and another thread can be given all of them", () => {
  const ids = Uint32Array.of(1, 2, 3);
  const data = {
    ids,
    sameIds: ids,
    tail: new Uint8Array([7, 8, 9]).subarray(1),
    parts: [
      { prices: Float64Array.of(0.5, 1.5), name: "a" },
      { prices: new Float64Array(), name: "b" },
    ],
    orders: new Map([["asc", Uint16Array.of(65_535)]]),
    names: ["a", "b"],
    none: null,
  };
  const { packed, buffer } = packColumns(data);
  expect(packed).toEqual(data);
  expect(packed.sameIds).toBe(packed.ids);
  // Each starts at a multiple of eight bytes.
  expect(buffer.byteLength).toBe(16 + 8 + 16 + 0 + 8);
  const moved = structuredClone(packed, { transfer: [buffer] });
  expect(moved).toEqual(data);
  expect(
    new Set([moved.ids, moved.tail, ...moved.parts.map(({ prices }) => prices)].map((column) => column.buffer)).size,
  ).toBe(1);
  expect(packed.ids).toHaveLength(0);
});
