import { atSearchedPrice, type ListedOffer } from "@gpu-offers/domain";
import { comparatorOf, type Query } from "@gpu-offers/list";

/** Whether the text asks for spot prices, as it is read for these offers. */
export function asksForSpot(offers: readonly ListedOffer[], { filter: { search } }: Pick<Query, "filter">): boolean {
  return search?.among(offers).parsed.wishes.spot === true;
}

/** The offers at the prices that the text asks for, in the order of the query. */
export function arranged(offers: readonly ListedOffer[], query: Query): readonly ListedOffer[] {
  const compare = comparatorOf(query);
  const sorted = [...offers].sort(compare);
  const isSpot = asksForSpot(sorted, query);
  const priced = sorted.map((offer) => atSearchedPrice(offer, isSpot));
  // An unchanged list keeps what is memoized for it.
  return priced.every((offer, index) => offer === sorted[index]) ? sorted : priced.sort(compare);
}
