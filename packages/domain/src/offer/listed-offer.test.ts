import { expect, test } from "vitest";
import { compileSearch, UNKNOWN_LISTING_FACTS, type ListedOffer } from "../index.js";
import { exampleOffer } from "../offer.fixture.js";

test("offers are found by facts that their source states beyond their fields", () => {
  const aws = { provider: { name: "aws", slug: "aws" } };
  const spot = { priceHourly: 0.5, kind: "price" } as const;
  const listing = { ...UNKNOWN_LISTING_FACTS, instanceType: "p4d.24xlarge", spot };
  const offers: ListedOffer[] = [{ ...exampleOffer(aws), listing }, exampleOffer(aws)];
  const found = (text: string): number[] =>
    offers.filter(compileSearch(text).among(offers)).map((offer) => offers.indexOf(offer));
  expect(found("p4d.24xlarge")).toEqual([0]);
  // The Tesla P4 is not found, so that the words mean a type.
  expect(found("aws p4")).toEqual([0]);
  expect(found("spot under $1")).toEqual([0]);
  expect(found("aws")).toEqual([0, 1]);
});
