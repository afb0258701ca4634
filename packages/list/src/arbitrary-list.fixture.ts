import type { Offer, OfferFilter } from "@gpu-offers/domain";
import { compileSearch } from "@gpu-offers/domain";
import { arbitraryOffers } from "@gpu-offers/domain/offer.fixture";
import * as fc from "fast-check";

// Lists and filters with few distinct values, so that most filters match some offers.

/** Offers of three providers in regions with zones, some with a name of several spellings. */
export const arbitraryList = (maxLength: number): fc.Arbitrary<Offer[]> =>
  fc
    .tuple(
      arbitraryOffers(maxLength),
      fc.array(
        fc.record({
          provider: fc.constantFrom("alpha", "beta", "gamma"),
          region: fc.constantFrom("north-1", "north-1/a", "north-1/b", "SOUTH", "/odd"),
          nvlinkEnabled: fc.boolean(),
        }),
        { minLength: maxLength, maxLength },
      ),
    )
    .map(([offers, changes]) =>
      offers.map((offer, index) => {
        const { provider = "alpha", region = "", nvlinkEnabled = false } = changes[index] ?? {};
        return { ...offer, provider: { name: provider, slug: provider }, region, nvlinkEnabled };
      }),
    );

const values = (...all: string[]): fc.Arbitrary<string[] | undefined> =>
  fc.option(fc.subarray(all, { minLength: 1 }), { nil: undefined });

/** Filters of every kind, most of them unset. */
export const arbitraryFilter: fc.Arbitrary<OfferFilter> = fc.record({
  gpu: values("h100-sxm", "h200-sxm", "l40s", "no-such-gpu"),
  continent: values("Europe", "Asia"),
  country: values("NO", "ZZ"),
  provider: values("alpha", "beta", "delta"),
  region: values("north-1", "NORTH-1/A", "south"),
  available: fc.constantFrom(undefined, undefined, true, false),
  nvlink: fc.constantFrom(undefined, undefined, true),
  diskGb: fc.constantFrom(undefined, undefined, 100, 500),
  maxTotalHourly: fc.constantFrom(undefined, undefined, 2, 40),
  minGpuCount: fc.constantFrom(undefined, undefined, 2),
  search: fc.constantFrom(undefined, undefined, compileSearch("h100"), compileSearch("8x")),
  image: fc.constantFrom(undefined, undefined, {
    wanted: { os: "ubuntu-22.04" },
    providers: ["alpha", "gamma"],
  }),
});
