import { describe, expect, test } from "vitest";
import { exampleOffer } from "../offer.fixture.js";
import { AVAILABILITIES, availabilityOf, isOnSale, isSoldOut, statedAvailability } from "./availability.js";
import { UNKNOWN_LISTING_FACTS } from "./listing.js";

describe("availability", () => {
  test.each([
    ["live", true, "in_stock"],
    ["live", false, "sold_out"],
    ["listed", true, "listed"],
    ["listed", false, "unknown"],
    ["unknown", true, "unknown"],
    ["unknown", false, "unknown"],
  ] as const)("of a source that knows %s, of which a row says %s, is %s", (knows, isAvailable, expected) => {
    expect(statedAvailability(knows, isAvailable)).toBe(expected);
  });

  test("is the reader's word, whatever v1 says; without one it is v1's", () => {
    for (const isAvailable of [true, false]) {
      const offer = { isAvailable };
      expect(AVAILABILITIES.map((availability) => availabilityOf({ offer, availability }))).toEqual(AVAILABILITIES);
      expect(availabilityOf({ offer, availability: null })).toBe(isAvailable ? "listed" : "sold_out");
      // A word of a newer service.
      expect(availabilityOf({ offer, availability: "waitlist" })).toBe("unknown");
    }
  });

  test("leaves out what is sold out only, and `available` is what is in stock or listed", () => {
    const offer = exampleOffer({ isAvailable: false });
    const words = (holds: (availability: string) => boolean) => AVAILABILITIES.filter(holds);
    expect(words((availability) => isOnSale({ offer, availability }))).toEqual(["in_stock", "listed"]);
    expect(
      words((availability) => isSoldOut({ ...offer, listing: { ...UNKNOWN_LISTING_FACTS, availability } })),
    ).toEqual(["sold_out"]);
  });
});
