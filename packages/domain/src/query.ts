// The schema of the query of listings, with the documentation of its parameters: `@gpu-offers/domain/query`. Doors that read or
// describe queries need it; the rules don't.

export { LISTING_PARAMETER_DOCS } from "./listing-query/listing-parameter-docs.js";
export {
  choiceSchema,
  listingArgumentShape,
  listingQuerySchema,
  planQuerySchema,
  type PlanQuery,
} from "./listing-query/listing-query-schema.js";
