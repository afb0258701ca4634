import { matchesOffer, type Offer, type OfferFilter } from "@gpu-offers/domain";
import { exampleImage } from "@gpu-offers/domain/offer.fixture";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryFilter, arbitraryList } from "./arbitrary-list.fixture.js";
import { facetRows, toggleFacet } from "./facets.js";
import type { ValueKey, ValueRow } from "./facet-row.js";
import type { KnownImages } from "./image-facets.js";
import { withFilter } from "./query.js";

const RUNS = { seed: 20_261_123, numRuns: 500 };

const READERS: Readonly<Record<ValueKey, (offer: Offer) => readonly string[]>> = {
  gpu: ({ gpu }) => [gpu.slug],
  continent: ({ regionInfo }) => [regionInfo.continent],
  country: ({ regionInfo }) => [regionInfo.countryCode],
  provider: ({ provider }) => [provider.name],
  region: ({ region }) => (region.indexOf("/") > 0 ? [region, region.slice(0, region.indexOf("/"))] : [region]),
};

/** The plain definition: a value's count is the number of offers with it that pass the other filters. */
function plainCounts(key: ValueKey, offers: readonly Offer[], filter: OfferFilter): Record<string, number> {
  const others = withFilter(filter, key, undefined);
  const counts: Record<string, number> = Object.fromEntries((filter[key] ?? []).map((value) => [value, 0]));
  for (const offer of offers.filter((each) => matchesOffer(each, others))) {
    for (const value of READERS[key](offer)) {
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
  return counts;
}

const ubuntu = exampleImage({ displayName: "Ubuntu 22.04", slug: "ubuntu-22.04", hasCuda: true, cudaVersion: "12.4" });
const images: KnownImages = new Map([
  ["alpha", [ubuntu]],
  ["gamma", [ubuntu, exampleImage({ displayName: "Debian 12", slug: "debian-12" })]],
]);

const valueRows = (offers: readonly Offer[], filter: OfferFilter): ValueRow[] =>
  facetRows(offers, filter, images).filter((row) => row.kind === "value");

describe("facets", () => {
  test("count in one pass what the other filters let through", () => {
    fc.assert(
      fc.property(arbitraryList(40), arbitraryFilter, (offers, filter) => {
        const rows = valueRows(offers, filter);
        for (const key of ["gpu", "continent", "country", "provider", "region"] as const) {
          const counted = rows.filter((row) => row.key === key).map(({ value, count }) => [value, count]);
          expect(Object.fromEntries(counted)).toEqual(plainCounts(key, offers, filter));
        }
      }),
      RUNS,
    );
  });

  test("show as many offers as they say", () => {
    fc.assert(
      fc.property(arbitraryList(40), arbitraryFilter, (offers, filter) => {
        for (const row of valueRows(offers, filter).filter(({ isSet }) => !isSet)) {
          const isImage = row.key === "os" || row.key === "cuda";
          // A value of a list adds to the chosen ones; alone it shows its count.
          const alone = isImage ? filter : withFilter(filter, row.key as ValueKey, undefined);
          const chosen = toggleFacet(alone, row, images);
          const shown = offers.filter((offer) => matchesOffer(offer, chosen));
          // A region is matched in any case and counted as it is spelled.
          expect(shown.length).toBe(row.count);
        }
      }),
      RUNS,
    );
  });

  test("keep chosen values that no offer has, to be taken back", () => {
    const [row] = valueRows([], { gpu: ["no-such-gpu"] });
    expect(row).toMatchObject({ value: "no-such-gpu", count: 0, isSet: true });
  });

  test("are ordered by count", () => {
    fc.assert(
      fc.property(arbitraryList(40), (offers) => {
        const counts = valueRows(offers, {})
          .filter(({ key }) => key === "region")
          .map(({ count }) => count);
        expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      }),
      RUNS,
    );
  });
});
