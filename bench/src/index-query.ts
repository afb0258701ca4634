import type { TestContext } from "vitest";
import { listOffers, listOffersQuerySchema, type ListOffersQuery } from "@gpu-offers/domain";
import { OfferIndex } from "@gpu-offers/domain/paging";
import { syntheticOffers, syntheticQueries } from "@gpu-offers/testkit/synthetic";
import { addMeasured } from "./measured-row.ts";

const QUERIES = 200;
const ROUNDS = 50;

/** Queries for a catalog with `offers` offers. */
export const parsedQueries = (offers: number): ListOffersQuery[] =>
  syntheticQueries(QUERIES, offers).map((text) =>
    listOffersQuerySchema.parse(Object.fromEntries(new URLSearchParams(text))),
  );

/** Compares the domain package's index with filter, sort and slice in plain JavaScript. */
export function benchIndex(context: Pick<TestContext, "task">, count: number): void {
  const offers = [...syntheticOffers(count)];
  const index = OfferIndex.of(offers);
  const queries = parsedQueries(count);
  const msOf = (
    rounds: number,
    asked: readonly ListOffersQuery[],
    ask: (query: ListOffersQuery) => unknown,
  ): number => {
    const started = performance.now();
    for (let round = 0; round < rounds; round++) {
      asked.forEach(ask);
    }
    return (performance.now() - started) / (rounds * asked.length);
  };
  msOf(1, queries, (query) => index.page(query));
  const indexed = msOf(ROUNDS, queries, (query) => index.page(query));
  const sample = queries.filter((_, place) => place % Math.ceil(count / 10_000) === 0).slice(0, 40);
  const plain = msOf(1, sample, (query) => listOffers(offers, query));
  addMeasured(context, {
    what: `query in the domain, ${count.toLocaleString("en-US")} offers`,
    reference: `filter, sort, slice: ${plain.toFixed(2)} ms`,
    measured: `${(indexed * 1000).toFixed(1)} us`,
    ratio: plain / indexed,
    bar: ">= 100 times",
  });
}
