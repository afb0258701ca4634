// Pages of many offers, for services: `@gpu-offers/domain/paging`.

export { OfferIndexBuilder } from "./offer-query/offer-index-build.js";
export type { IndexedOffer, OfferIndexParts, Ordering } from "./offer-query/offer-index-build.js";
export { OfferIndex, type OfferIndexPage } from "./offer-query/offer-index.js";
