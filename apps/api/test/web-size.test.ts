import { listComparator, listingColumns, UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { encodeCompactList } from "@gpu-offers/list";
import { syntheticOffers } from "@gpu-offers/testkit/synthetic";
import { expect, test } from "vitest";
import { compress } from "../src/http/content.ts";

test.for([
  [5_000, 45],
  [50_000, 270],
] as const)("all of %i offers take at most %i kB, as the service sends them", async ([count, maximumKb]) => {
  const offers = [...syntheticOffers(count)].sort(listComparator({ sort_by: "pricePerGpu", sort_order: "asc" }));
  const parts = encodeCompactList({
    etag: '"1"',
    sources: [],
    notices: [],
    gone: [],
    images: new Map(),
    columns: listingColumns(offers.map((offer) => ({ ...UNKNOWN_LISTING_FACTS, offer }))),
    order: [...offers.keys()],
    stale: [],
    reliabilityAt: () => null,
  });
  const json = Buffer.from([...parts].join(""));
  const body = await compress(json, "br");
  expect(body.length / 1000).toBeLessThanOrEqual(maximumKb);
});
