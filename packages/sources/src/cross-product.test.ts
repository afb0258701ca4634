import { describe, expect, test } from "vitest";
import { CrossProductDetector } from "./cross-product.js";
import { readApiResponse } from "./read-api-response.js";
import { collect, ofKind, skypilotCsv } from "./source.fixture.js";
import { read } from "./skypilot/read-skypilot.fixture.js";
import type { OfferItem } from "./source-item.js";

const product = async (types: number, places: number): Promise<OfferItem[]> => {
  const rows = Array.from({ length: types * places }, (_, index) => ({
    InstanceType: `type-${index % types}`,
    vCPUs: String((index % types) + 1),
    Region: `place-${Math.floor(index / types)}`,
  }));
  return ofKind(await read(skypilotCsv(...rows), { provider: "oci" }), "offer");
};

test("of a file that a reader holds as a whole is unavailable, in every format", async () => {
  const items = await product(5, 5);
  expect(
    items.every(({ offer, unavailableReason }) => !offer.isAvailable && unavailableReason === "cross_product"),
  ).toBe(true);
  // A source with a gap says what is sold where.
  const [first, ...others] = items.map(({ offer }) => Object.assign(offer, { isAvailable: true }));
  const served = async (offers: readonly object[]) =>
    ofKind(await collect(readApiResponse(JSON.stringify(offers))), "offer");
  expect((await served(others)).every(({ offer }) => offer.isAvailable)).toBe(true);
  expect((await served([first ?? {}, ...others])).some(({ offer }) => offer.isAvailable)).toBe(false);
});

test("of a row whose region is no place, or whose file is known to be a product, the reason is stated", async () => {
  const reasonOf = async (provider: string, region: string) => {
    const [item] = ofKind(await read(skypilotCsv({ Region: region }), { provider }), "offer");
    return [item?.offer.isAvailable, item?.unavailableReason];
  };
  expect(await reasonOf("hyperbolic", "default")).toEqual([false, "no_place"]);
  expect(await reasonOf("lambda", "us-east-1")).toEqual([false, "cross_product"]);
  expect(await reasonOf("aws", "us-east-1")).toEqual([true, undefined]);
});

const foundIn = (items: readonly OfferItem[]) => {
  const detector = new CrossProductDetector();
  for (const item of items) {
    detector.add(item);
  }
  return detector.found();
};

describe("a cross product", () => {
  test.each([
    [11, 41],
    [4, 4],
  ])("of %i types and %i regions is found, whether or not the source names types", async (types, places) => {
    const items = await product(types, places);
    expect(foundIn(items)).toEqual([{ provider: "oci", types, places }]);
    expect(foundIn(items.map(({ instanceType: _type, ...item }) => item))).toEqual([
      { provider: "oci", types, places },
    ]);
  });

  test("is not found in few rows, in a list with a gap, or if the source marks an offer as unavailable", async () => {
    expect(foundIn(await product(3, 40))).toEqual([]);
    expect(foundIn(await product(40, 3))).toEqual([]);
    const items = await product(6, 6);
    expect(foundIn(items.slice(1))).toEqual([]);
    const [first, ...others] = items;
    if (first === undefined) {
      throw new Error("no offer");
    }
    const { unavailableReason: _, ...soldOut } = first;
    expect(foundIn([soldOut, ...others])).toEqual([]);
  });
});
