import { listOffers, listOffersQuerySchema, type Offer } from "@gpu-offers/domain";
import { OfferIndex } from "@gpu-offers/domain/paging";
import type { Row } from "./row.ts";
import { syntheticOffers, syntheticQueries } from "@gpu-offers/testkit/synthetic";

/** Compares the domain package's index with filter, sort and slice in plain JavaScript. */
export function benchDomainQuery(count: number): Row {
  const offers: Offer[] = [...syntheticOffers(count)];
  const index = OfferIndex.of(offers);
  const queries = syntheticQueries(200, count).map((text) =>
    listOffersQuerySchema.parse(Object.fromEntries(new URLSearchParams(text))),
  );
  for (const query of queries) {
    index.page(query);
  }
  const rounds = 50;
  let started = performance.now();
  for (let round = 0; round < rounds; round++) {
    for (const query of queries) {
      index.page(query);
    }
  }
  const indexed = (performance.now() - started) / (rounds * queries.length);
  const sample = queries.filter((_, place) => place % Math.ceil(count / 10_000) === 0).slice(0, 40);
  started = performance.now();
  for (const query of sample) {
    listOffers(offers, query);
  }
  const plain = (performance.now() - started) / sample.length;
  return {
    what: `query in the domain package, ${count.toLocaleString("en-US")} offers`,
    reference: `filter, sort, slice: ${plain.toFixed(2)} ms`,
    measured: `${(indexed * 1000).toFixed(1)} us`,
    ratio: plain / indexed,
    bar: ">= 100 times",
    isMet: plain / indexed >= 100,
  };
}
