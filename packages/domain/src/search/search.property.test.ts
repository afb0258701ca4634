import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearSearches, positionsIn, readSearch, SearchCatalog, SearchIndex, type Searched } from "../index.js";
import { anyText, arbitraryOffer, exampleImage } from "../offer.fixture.js";
import { compileTerm, SEARCH_MARKS, SEARCH_OPERATIONS, SEARCHED_VALUES, type CompiledTerm } from "./search-match.js";
import { formText, gpuText, placeText, providerText, typeText } from "./search-text.js";

const seed = 20_261_123;

// Words of the grammar, names and their parts, in any order: most texts mean something, and many mean something odd.
const words = fc.constantFrom(
  ..."h100 a100 a10 4090 rtx l40s p4 p5 h1 hl00 nvidia hopper sxm b200 gpu gpus".split(" "),
  ..."under below max at least most less than over from between and or not no without except but in on the with".split(
    " ",
  ),
  ..."2 $2 2$ 0.5 1,000 8 8x x8 80 24 80gb 24g+ 1tb vram ram disk cores vcpu total hourly per hour /h usd cents more".split(
    " ",
  ),
  ..."eu europe european union norway no in india us germny oslo north america new york default-1".split(" "),
  ..."aws amazon google cloud lambda labs hyperstack runpod vast".split(" "),
  ..."cheapest available stock spot demand vm bare metal nvlink infiniband ubuntu 22.04 cuda 12 docker".split(" "),
  ...', | ! - & / < >= = + : * " ( é \u0000 ٣ İ ﬀ'.split(" "),
  ..."8xh100 h100:8 h100|a100 !aws a100/h100 vram>=80 gpu=h100 provider:aws place=eu,us type=p5".split(" "),
);
const joints = fc.constantFrom(" ", " ", " ", "", "  ", ", ", "\t");
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.tuple(words, joints), { maxLength: 9 }).map((parts) => parts.flat().join("")) },
  { weight: 1, arbitrary: anyText({ maxLength: 40 }) },
);

const searched: fc.Arbitrary<Searched> = fc.record({
  offer: arbitraryOffer,
  instanceType: fc.constantFrom(null, undefined, "p4d.24xlarge", "p5.48xlarge", "Standard_ND96isr_H100_v5"),
  spot: fc.constantFrom(null, { priceHourly: 0.5, kind: "price" }, { priceHourly: 0.1, kind: "bid" }),
});
const listings = fc.array(searched, { maxLength: 70 });
const images = new Map([["hyperstack", [exampleImage(), exampleImage({ hasCuda: true, cudaVersion: "12.4" })]]]);

const options = fc.record({
  cursor: fc.option(fc.nat({ max: 60 }), { nil: undefined }),
  takesSlips: fc.boolean(),
});

/** The reference: whether an offer meets a term, without an index. */
function meets(listing: Searched, term: CompiledTerm, isSpot: boolean): boolean {
  switch (term.kind) {
    case "compare": {
      const { field, operator, value } = term.compare;
      return SEARCH_OPERATIONS[operator](SEARCHED_VALUES[field](listing, isSpot), value);
    }
    case "mark":
      return SEARCH_MARKS[term.mark](listing);
    case "all":
      return term.terms.every((part) => meets(listing, part, isSpot));
    case "any":
      return term.terms.some((part) => meets(listing, part, isSpot));
    case "not":
      return !meets(listing, term.term, isSpot);
    case "parts": {
      const { offer, instanceType } = listing;
      const { gpu, provider, place, form, type } = term.tests;
      return (
        gpu?.(gpuText(offer)) === true ||
        provider?.(providerText(offer)) === true ||
        place?.(placeText(offer)) === true ||
        form?.(formText(offer)) === true ||
        (typeof instanceType === "string" && type?.(typeText(instanceType)) === true)
      );
    }
  }
}

describe("a search", () => {
  test("finds the same through the index as offer by offer", () => {
    fc.assert(
      fc.property(text, listings, options, (typed, offers, reading) => {
        const index = SearchIndex.of(offers);
        const { terms, wishes } = readSearch(typed, new SearchCatalog(index, { images }), reading);
        for (const isSpot of [wishes.spot === true, true, false]) {
          const found = offers.flatMap((offer, position) =>
            terms.every((term) => meets(offer, compileTerm(term), isSpot)) ? [position] : [],
          );
          expect(positionsIn(index.find(terms, { isSpot }))).toEqual(found);
        }
      }),
      { seed, numRuns: 250 },
    );
  });

  test("says what it took for words of its text, and which words nothing has", () => {
    fc.assert(
      fc.property(text, listings, (typed, offers) => {
        const catalog = new SearchCatalog(SearchIndex.of(offers));
        const { terms, wishes, understood, unknown } = readSearch(typed, catalog);
        for (const part of [...understood, ...unknown]) {
          expect(typed).toContain(part.text);
        }
        expect(understood.every(({ as }) => as.length > 0)).toBe(true);
        expect(catalog.finds(terms, wishes.spot === true) ? unknown : []).toEqual([]);
      }),
      { seed, numRuns: 600 },
    );
  });

  test("prefers its finished reading: a cursor changes nothing where that finds something", () => {
    fc.assert(
      fc.property(text, listings, fc.nat({ max: 60 }), (typed, offers, cursor) => {
        const catalog = new SearchCatalog(SearchIndex.of(offers));
        const finished = readSearch(typed, catalog);
        const isFound = catalog.finds(finished.terms, finished.wishes.spot === true);
        const inField = readSearch(typed, catalog, { cursor, takesSlips: true });
        expect(isFound ? inField : finished).toEqual(finished);
      }),
      { seed, numRuns: 600 },
    );
  });

  test("has near searches that find what they say", () => {
    fc.assert(
      fc.property(text, fc.array(searched, { minLength: 1, maxLength: 10 }), (typed, offers) => {
        const catalog = new SearchCatalog(SearchIndex.of(offers));
        for (const near of nearSearches(typed, catalog)) {
          const { terms, wishes } = readSearch(near.text, catalog);
          expect(positionsIn(catalog.find(terms, wishes.spot === true))).toHaveLength(near.count);
          expect(near.count).toBeGreaterThan(0);
        }
      }),
      { seed, numRuns: 250 },
    );
  });
});
