import { nearestReading, type Offer } from "@gpu-offers/domain";
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
 * Reads the offers that match. Where the service has them in the wanted order already, reading ends behind the first
 * `limit` of them and those of the same price: among these the picker has an order of its own.
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
    if (isOrdered && isPast(found, limit)) {
      break;
    }
  }
  return { offers: found.sort(comparatorOf(query)).slice(0, limit), seen };
}

/** Whether offers of a higher price than that of the last wanted one have come. */
function isPast(found: readonly Offer[], limit: number): boolean {
  const lastWanted = found[limit - 1];
  const last = found.at(-1);
  return (
    lastWanted !== undefined &&
    last !== undefined &&
    (last.gpuCount !== lastWanted.gpuCount ||
      last.pricePerGpu !== lastWanted.pricePerGpu ||
      last.priceHourly !== lastWanted.priceHourly)
  );
}

/**
 * The failure of a request that nothing responses: which filters keep how many offers out. What the service left out
 * is read for that, unless the offers that were `seen` have to do.
 */
export async function nothingMatches(source: OfferSource, query: Query, seen?: readonly Offer[]): Promise<Failure> {
  const offers = seen ?? (await readMatches(source, { ...query, filter: {} })).offers;
  const advice = leaveOneOut(offers, query.filter)
    .slice(0, 3)
    .map(({ key, count }) => `${withoutFilter(key, query.filter)}: ${countOf(count, "offer")}`);
  const all = [...nearestText(offers, query), ...advice];
  const hint = all.length === 0 ? "Loosen the filters, or wait with --watch." : `${all.join(". ")}.`;
  return new Failure(EXIT.nothing, `nothing matches. ${hint}`);
}

/** The nearest text that finds something among what the other filters let through. */
function nearestText(offers: readonly Offer[], { filter: { search, ...others } }: Query): string[] {
  const reading = search === undefined ? undefined : nearestReading(matching(offers, others), search.text);
  return reading === undefined
    ? []
    : [`Nearest text ${JSON.stringify(reading.text)}: ${countOf(reading.count, "offer")}`];
}
