// Pages of many offers, for services: `@gpu-offers/domain/paging`.

export {
  OfferIndexBuilder,
  type IndexedOffer,
  type OfferIndexParts,
  type Ordering,
} from "./offer-query/offer-index-build.js";
export { OfferIndex, type OfferIndexPage } from "./offer-query/offer-index.js";
