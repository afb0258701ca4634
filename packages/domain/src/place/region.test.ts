import { describe, expect, test } from "vitest";
import {
  continentCode,
  CONTINENTS,
  findContinent,
  placeCode,
  regionInfoSchema,
  UNKNOWN_CONTINENT,
  UNKNOWN_REGION,
} from "../index.js";

const norway = { countryCode: "NO", countryName: "Norway", cityState: "Oslo", continent: "Europe" };

describe("a continent", () => {
  test("is one of seven, each with its own code", () => {
    expect(CONTINENTS.map(continentCode)).toEqual(["AF", "AN", "AS", "EU", "NA", "OC", "SA"]);
  });

  test.each(["Unknown", "europe", "", "constructor", "__proto__", "toString"])(
    "is not %j, which has no code",
    (name) => {
      expect(continentCode(name)).toBe("??");
    },
  );

  test("is found regardless of case and outer spaces", () => {
    for (const continent of CONTINENTS) {
      expect(findContinent(` ${continent.toUpperCase()} `)).toBe(continent);
      expect(findContinent(continent.slice(1))).toBe(undefined);
    }
    expect(findContinent("")).toBe(undefined);
    expect(findContinent(UNKNOWN_CONTINENT)).toBe(undefined);
  });
});

describe("a place", () => {
  test("is continent and country", () => {
    expect(placeCode(norway)).toBe("EU-NO");
    expect(placeCode({ ...norway, countryCode: "US", continent: "North America" })).toBe("NA-US");
  });

  test("is question marks when the region is unknown", () => {
    expect(placeCode(UNKNOWN_REGION)).toBe("??");
    expect(placeCode({ ...UNKNOWN_REGION, continent: "Asia" })).toBe("AS");
  });
});

describe("the schema of a region", () => {
  test("accepts a place, an unknown one, and one on an unknown continent", () => {
    for (const region of [norway, UNKNOWN_REGION, { ...norway, continent: "Zealandia" }]) {
      expect(regionInfoSchema.parse({ ...region, zone: "a" })).toEqual(region);
    }
  });

  test.each(["countryCode", "countryName", "cityState", "continent"])("rejects a place without %s", (field) => {
    expect(regionInfoSchema.safeParse({ ...norway, [field]: undefined }).success).toBe(false);
    expect(regionInfoSchema.safeParse({ ...norway, [field]: null }).success).toBe(false);
  });

  test("has an immutable unknown region", () => {
    expect(UNKNOWN_REGION).toEqual({ countryCode: "ZZ", countryName: "Unknown", cityState: "", continent: "Unknown" });
    expect(Object.isFrozen(UNKNOWN_REGION)).toBe(true);
  });
});
