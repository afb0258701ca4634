import { listOffersQuerySchema } from "@gpu-offers/domain";
import type { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import { ReadParameters } from "../http/query-parameters.js";

const PATH = "/api/v1/offers";

/**
 * The response to a valid `GET /api/v1/offers`, without Nest: passing through Nest costs several times what the list
 * does. Undefined for anything else, which Nest responds to: invalid queries, and requests before the first catalog.
 */
export function readOfferList(catalog: Catalog, url: string): Representation | undefined {
  if (!url.startsWith(PATH) || (url.length > PATH.length && url[PATH.length] !== "?")) {
    return undefined;
  }
  const { values, problems } = new ReadParameters(url.slice(PATH.length + 1));
  const query = listOffersQuerySchema.safeParse(values);
  return problems.length === 0 && query.success ? catalog.snapshot?.listOffers(query.data) : undefined;
}
