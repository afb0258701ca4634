import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LISTING_PARAMETERS, LISTING_PARAMETER_NAMES, readParameter, type ListingParameter } from "@gpu-offers/domain";
import { LISTING_PARAMETER_DOCS } from "@gpu-offers/domain/query";
import { pageQuery } from "@gpu-offers/list";
import { readAddress, writeAddress } from "./address.js";
import { commandOf, requestOf } from "./doors.js";

const NAMES = LISTING_PARAMETER_NAMES.filter((name) => name !== "page" && name !== "size");

/** Texts that each parameter takes: its examples, its values, and any text where all are valid. */
const textsOf = (name: (typeof NAMES)[number]): fc.Arbitrary<string> => {
  const { values = [], kind }: ListingParameter = LISTING_PARAMETERS[name];
  const { examples } = LISTING_PARAMETER_DOCS[name];
  const known = fc.constantFrom(...examples, ...values);
  return kind === "text" ? fc.oneof(known, fc.string({ minLength: 1, maxLength: 40 })) : known;
};

const addresses = fc.record({
  given: fc.tuple(...NAMES.map((name) => fc.option(textsOf(name), { nil: undefined }))).map(
    (texts) =>
      new Map(
        NAMES.flatMap((name, index) => {
          const text = texts[index];
          return text === undefined || !readParameter(name, text).ok ? [] : [[name, text] as const];
        }),
      ),
  ),
  offer: fc.option(fc.uuid(), { nil: undefined }),
  compare: fc.option(fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 5 }), { nil: undefined }),
  view: fc.constantFrom("list" as const, "gpus" as const),
});

test("an address is read as it was written, for every parameter of the domain's table", () => {
  fc.assert(
    fc.property(addresses, (address) => {
      expect(readAddress(writeAddress(address))).toEqual({ ...address, problems: [] });
    }),
    { numRuns: 300 },
  );
});

test("unknown names and invalid values are reported, and nothing of them holds", () => {
  const { given, problems } = readAddress("?foo=1&min_vram=abc&gpu=h100&gpu=l4&view=x&size=3");
  expect([...given]).toEqual([["gpu", "h100"]]);
  expect(problems).toHaveLength(4);
  expect(problems.join(" ")).toMatch(/"foo".*min_vram.*"abc".*gpu.*once.*view/);
});

test("a query as a request has the page's default written out, and the same values", () => {
  const { given } = readAddress("?q=8xh100+eu&disk=500");
  const request = requestOf(given);
  expect(request).toBe("api/v2/listings?q=8xh100+eu&verified=not-false&disk=500");
  expect(pageQuery(readAddress(request.slice(request.indexOf("?"))).given)).toEqual(pageQuery(given));
});

test("a query as a command quotes its words; a parameter without a flag has none", () => {
  expect(commandOf(readAddress("?q=8xh100+eu&disk=500&nvlink=true").given)).toBe(
    "gpu-offers --list --text '8xh100 eu' --nvlink --disk 500",
  );
  expect(commandOf(readAddress("?nvlink=false").given)).toBeUndefined();
});
