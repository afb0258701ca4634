import {
  availabilityOf,
  listComparator,
  listingColumns,
  ListingIndex,
  present,
  storageOf,
  type Listing,
  type ListingFacts,
  type ListingSelection,
  type Offer,
} from "@gpu-offers/domain";
import { arbitraryListing } from "@gpu-offers/domain/offer.fixture";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CompactListContent } from "./compact-list.js";
import { decodeCompactList } from "./decode-compact-list.js";
import { encodeCompactList } from "./encode-compact-list.js";

type TestListing = ListingFacts & Pick<Listing, "offer">;

const inListOrder = listComparator({ sort_by: "pricePerGpu", sort_order: "asc" });

/** The content of a catalog whose listings have any order. */
function contentOf(listings: readonly TestListing[]): CompactListContent {
  const positions = listings.map((_, position) => position);
  const offerAt = (position: number): Offer => present(listings[position]).offer;
  return {
    etag: '"1-a"',
    sources: [{ name: "aws", providers: ["aws"], state: "fresh", stock: "listed", pricesAsOf: null, offers: 3 }],
    notices: ["sample prices"],
    images: new Map([["aws", []]]),
    gone: ["an id"],
    columns: listingColumns(listings),
    order: positions.toSorted((a, b) => inListOrder(offerAt(a), offerAt(b))),
    stale: positions.map((position) => position % 3),
    reliabilityAt: (position) => present(listings[position]).reliability,
  };
}

function encode(content: CompactListContent): string {
  return [...encodeCompactList(content)].join("");
}

const arbitraryListings = fc.uniqueArray(arbitraryListing, { maxLength: 60, selector: ({ offer }) => offer.id });

test("a decoded list has all listings in list order, without their ids", () => {
  fc.assert(
    fc.property(arbitraryListings, (listings) => {
      const content = contentOf(listings);
      const { columns, kinds, stale, reliability, ...head } = decodeCompactList(JSON.parse(encode(content)));
      expect(head).toEqual({
        etag: content.etag,
        sources: content.sources,
        notices: content.notices,
        images: content.images,
        gone: content.gone,
      });
      const index = new ListingIndex(columns);
      expect(index.size).toBe(listings.length);
      const sorted = listings.toSorted((a, b) => inListOrder(a.offer, b.offer));
      for (const [position, listing] of sorted.entries()) {
        const { offer, ...facts } = index.listingAt(position);
        expect({ ...offer, id: listing.offer.id }).toEqual(listing.offer);
        const isCostComplete = listing.isCostComplete ?? listing.offer.costDataComplete;
        expect({
          ...listing,
          storage: storageOf({ ...offer, storage: listing.storage }),
          isCostComplete,
          availability: availabilityOf(listing),
        }).toMatchObject(facts);
        const ratio = reliability[position];
        expect(Number.isNaN(ratio) ? null : ratio).toBe(listing.reliability);
        expect(stale[position] === 1).toBe(listings.indexOf(listing) % 3 === 1);
        const kind = kinds.indexOf(present(kinds[position]));
        expect(index.listingAt(kind).offer.gpu).toEqual(offer.gpu);
      }
      for (const codes of Object.values(columns.firsts)) {
        expect(codes.every((first) => first < columns.size)).toBe(true);
      }
    }),
    { seed: 20_261_123, numRuns: 300 },
  );
});

test("lists of a decoded catalog have the order of the original, with spot prices too", () => {
  const selections: ListingSelection[] = [
    { spot: undefined },
    { spot: "true" as const },
    { spot: "bid" as const },
  ].flatMap((filter) =>
    (["pricePerGpu", "gpuCount", "total"] as const).flatMap((sort) =>
      (["asc", "desc"] as const).map((order) => ({ filter, sort: { sort, order, diskGb: 100 } })),
    ),
  );
  fc.assert(
    fc.property(arbitraryListings, (listings) => {
      const content = contentOf(listings);
      const original = new ListingIndex(content.columns);
      const decoded = new ListingIndex(decodeCompactList(JSON.parse(encode(content))).columns);
      for (const selection of selections) {
        const expected = Array.from(original.evaluate(selection).positions);
        expect(Array.from(decoded.evaluate(selection).positions, (position) => content.order[position])).toEqual(
          expected,
        );
      }
    }),
    { seed: 20_261_123, numRuns: 300 },
  );
});

test("a file of another version, or a damaged one, is an error", () => {
  const listings = fc.sample(arbitraryListing, { seed: 1, numRuns: 5 });
  const file = JSON.parse(encode(contentOf(listings))) as Record<string, unknown>;
  const changes: Record<string, unknown>[] = [{ v: 1 }, { kind: [0] }, { place: [0, 0, 0, 0, 9] }, { price: [-1] }];
  for (const change of changes) {
    expect(() => decodeCompactList({ ...file, ...change })).toThrow(RangeError);
  }
  expect(() => decodeCompactList(null)).toThrow(RangeError);
});
