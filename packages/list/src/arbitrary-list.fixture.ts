import type { Offer } from "@gpu-offers/domain";
import { arbitraryOffers } from "@gpu-offers/domain/offer.fixture";
import * as fc from "fast-check";

// Lists with few distinct values.

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
