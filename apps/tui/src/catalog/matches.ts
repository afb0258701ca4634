import type { Offer } from "@gpu-offers/domain";
import type { OfferSource } from "./offer-source.js";
import { countOf } from "../text/count-text.js";
import { withoutFilter } from "../query/filter-words.js";
import { comparatorOf, leaveOneOut, matching, serverQuery, type Query } from "../query/query.js";
import { EXIT, Failure } from "../output/exit.js";

/** All offers that match, in order, and those that were looked at. */
export interface Matches {
  offers: Offer[];
  seen: readonly Offer[];
}

/**
 * Reads the offers that match. Where the service has them in the wanted order already, reading ends with the first
 * `limit` of them.
 */
export async function readMatches(
  source: OfferSource,
  query: Query,
  limit = Number.POSITIVE_INFINITY,
): Promise<Matches> {
  let seen: Offer[] = [];
  let found: Offer[] = [];
  const isOrdered = query.sort !== "total";
  for await (const part of source.list(serverQuery(query))) {
    if (part.kind === "restart") {
      seen = [];
      found = [];
      continue;
    }
    for (const offer of part.offers) {
      seen.push(offer);
    }
    for (const offer of matching(part.offers, query.filter)) {
      found.push(offer);
    }
    if (isOrdered && found.length >= limit) {
      break;
    }
  }
  return { offers: (isOrdered ? found : found.sort(comparatorOf(query))).slice(0, limit), seen };
}

/**
 * The failure of a question that nothing answers: which filters keep how many offers out. What the service left out
 * is read for that, unless the offers that were `seen` have to do.
 */
export async function nothingMatches(source: OfferSource, query: Query, seen?: readonly Offer[]): Promise<Failure> {
  const offers = seen ?? (await readMatches(source, { ...query, filter: {} })).offers;
  const advice = leaveOneOut(offers, query.filter)
    .slice(0, 3)
    .map(({ key, count }) => `${withoutFilter(key, query.filter)}: ${countOf(count, "offer")}`);
  const hint = advice.length === 0 ? "Loosen the filters, or wait with --watch." : `${advice.join(". ")}.`;
  return new Failure(EXIT.nothing, `nothing matches. ${hint}`);
}
