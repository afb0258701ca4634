import * as fc from "fast-check";
import { expect, test } from "vitest";
import { offerId } from "./offer-id.js";

test("an id never changes between releases", () => {
  expect(offerId("hyperstack", "n3-H100x1", "NORWAY-1")).toBe("728ca759-48fa-5dbe-b483-62fc654456bd");
});

test("an id is a UUID of version 5 in lower case", () => {
  expect(offerId("a", "b", "c")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("parts that concatenate to the same text have different ids", () => {
  expect(offerId("a", "b/c", "d")).not.toBe(offerId("a", "b", "c/d"));
  expect(offerId("a", 'b","c', "d")).not.toBe(offerId("a", "b", 'c","d'));
});

test("two identities have the same id only if they are equal", () => {
  const identity = fc.tuple(fc.string(), fc.string(), fc.string());
  fc.assert(
    fc.property(identity, identity, (one, other) => {
      expect(offerId(...one) === offerId(...other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
    { seed: 20_261_120 },
  );
});
