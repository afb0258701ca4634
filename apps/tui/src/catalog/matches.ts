import { matchesOffer, nearNames, nearSearches, searchCatalogOf, type Offer } from "@gpu-offers/domain";
import {
  comparatorOf,
  countOf,
  isServerSort,
  leaveOneOut,
  matching,
  type Query,
  serverQuery,
  withoutFilter,
} from "@gpu-offers/list";
import type { OfferSource } from "./offer-source.js";
import { EXIT, Failure } from "../output/exit-codes.js";

/** The sorted matches, and all offers that were read. */
export interface Matches {
  offers: Offer[];
  seen: readonly Offer[];
}

/**
 * Reads the matching offers. If the service returns them in the requested order, reading stops after the first `limit`
 * and those of equal price, because the picker orders these itself.
 */
export async function readMatches(
  source: OfferSource,
  query: Query,
  limit = Number.POSITIVE_INFINITY,
): Promise<Matches> {
  let seen: Offer[] = [];
  let found: Offer[] = [];
  const isOrdered = isServerSort(query.sort);
  for await (const part of source.list({ ...serverQuery(query), image: query.filter.image?.wanted })) {
    if (part.kind === "restart") {
      seen = [];
      found = [];
      continue;
    }
    for (const offer of part.offers) {
      seen.push(offer);
    }
    // A text is read for all offers.
    if (query.filter.search === undefined) {
      found = found.concat(matching(part.offers, query.filter));
    }
    // Available offers come first, wherever the service lists them.
    if (
      isOrdered &&
      isPast(
        found.filter(({ isAvailable }) => isAvailable),
        limit,
      )
    ) {
      break;
    }
  }
  if (query.filter.search !== undefined) {
    found = matching(seen, query.filter);
  }
  return { offers: found.sort(comparatorOf(query)).slice(0, limit), seen };
}

/** Whether offers of a higher price than the last requested one were read. */
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
 * The failure of a query without matches, with the number of offers that each filter excludes. To count them, all offers
 * are read, unless `seen` has them.
 */
export async function nothingMatches(source: OfferSource, query: Query, seen?: readonly Offer[]): Promise<Failure> {
  const offers = seen ?? (await readMatches(source, { ...query, filter: {} })).offers;
  const advice = leaveOneOut(offers, query.filter)
    .slice(0, 3)
    .map(({ key, count }) => `${withoutFilter(key, query.filter)}: ${countOf(count, "offer")}`);
  const all = [
    ...unknownRegions(offers, query),
    ...readingsOf(offers, query),
    ...nearestText(offers, query),
    ...advice,
  ];
  const hint = all.length === 0 ? "Relax the filters, or wait with --watch." : `${all.join(". ")}.`;
  return new Failure(EXIT.nothing, `no offers match. ${hint}`);
}

/** How the words of the text were taken, if otherwise than written: `h100: H100 in 4 forms; in germany: Germany`. */
export function readingText(offers: readonly Offer[], { filter: { search } }: Query): string | undefined {
  const understood = search?.among(offers).parsed.understood ?? [];
  return understood.length === 0 ? undefined : understood.map(({ text, as }) => `${text}: ${as}`).join("; ");
}

/** Reports {@link readingText}, if there is any. */
export function reportReading({ seen }: Matches, query: Query, onReading?: (text: string) => void): void {
  const text = readingText(seen, query);
  if (text !== undefined) {
    onReading?.(text);
  }
}

/** The reading of a text, if it is otherwise than written, and its unknown words if it finds nothing. */
export function readingsOf(offers: readonly Offer[], query: Query): string[] {
  const unknown = query.filter.search?.among(offers).parsed.unknown ?? [];
  const words = unknown.map(({ text, nearest }) => `Nothing is called ${JSON.stringify(text)}${similarText(nearest)}`);
  const reading = readingText(offers, query);
  return [...(reading === undefined ? [] : [`Read as ${reading}`]), ...words];
}

function similarText(nearest: readonly string[]): string {
  return nearest.length === 0 ? "" : ` (similar: ${nearest.join(", ")})`;
}

/** Regions that no offer has, with similar ones. */
function unknownRegions(offers: readonly Offer[], { filter: { region = [] } }: Query): string[] {
  const known = [...new Set(offers.map((offer) => offer.region))];
  return region
    .filter((name) => !offers.some((offer) => matchesOffer(offer, { region: [name] })))
    .map((name) => {
      return `No region is called ${JSON.stringify(name)}${similarText(nearNames(name, known))}`;
    });
}

/** The nearest text with matches among the offers that pass the other filters. */
function nearestText(offers: readonly Offer[], { filter: { search, ...others } }: Query): string[] {
  const [reading] = search === undefined ? [] : nearSearches(search.text, searchCatalogOf(matching(offers, others)));
  return reading === undefined
    ? []
    : [`Nearest text ${JSON.stringify(reading.text)}: ${countOf(reading.count, "offer")}`];
}
