import {
  asSentence,
  compileSearch,
  matchesOffer,
  nearNames,
  nearSearches,
  nearTexts,
  oldKeyOf,
  readParameter,
  searchCatalogOf,
  unknownUnderstood,
  type FilterKey,
  type ListingParameterName,
  type Offer,
  type OfferSearch,
  type Understood,
} from "@gpu-offers/domain";
import {
  comparatorOf,
  countOf,
  isServerSort,
  leaveOneOut,
  matching,
  type Query,
  serverQuery,
  understoodIn,
} from "@gpu-offers/list";
import { readAllImages } from "./all-images.js";
import type { OfferSource, ReadWords } from "./offer-source.js";
import { asksForImage, withImages } from "./searched-images.js";
import { EXIT, Failure } from "../output/exit-codes.js";
import { withoutFilter } from "../output/filter-flags.js";

/** The sorted matches, and how they were found. */
export interface Matches {
  offers: Offer[];
  /** All offers that were read. If the source reads words, they are those that match them. */
  seen: readonly Offer[];
  /** Number of offers that the source found, before the filters that it doesn't know. */
  total: number;
  /** The query as it was read, with the images that its words ask for. */
  query: Query;
  /** How the source has read the words; undefined if they were read here. */
  words?: ReadWords | undefined;
}

/**
 * Reads the matching offers. If the service returns them in the requested order, reading stops after the first `limit`
 * and those of equal price, because the picker orders these itself.
 */
export async function readMatches(
  source: OfferSource,
  query: Query,
  { limit = Number.POSITIVE_INFINITY }: { limit?: number | undefined } = {},
): Promise<Matches> {
  const { search, ...others } = query.filter;
  let seen: Offer[] = [];
  let found: Offer[] = [];
  let words: ReadWords | undefined;
  let total = 0;
  const isOrdered = isServerSort(query.sort);
  const asked = { ...serverQuery(query), image: others.image?.wanted, q: queryText(search) };
  for await (const part of source.list(asked)) {
    if (part.kind === "restart") {
      seen = [];
      found = [];
      continue;
    }
    ({ words, total } = part);
    for (const offer of part.offers) {
      seen.push(offer);
    }
    // Words that the source doesn't read are read for all offers.
    if (search !== undefined && words === undefined) {
      continue;
    }
    found = found.concat(matching(part.offers, others));
    // Available offers come first, wherever the service lists them.
    const available = found.filter(({ isAvailable }) => isAvailable);
    if (isOrdered && isPast(available, limit)) {
      break;
    }
  }
  const read = words === undefined ? await withSearchedImages(query, source, seen) : query;
  if (search !== undefined && words === undefined) {
    found = matching(seen, read.filter);
  }
  return { offers: found.sort(comparatorOf(query)).slice(0, limit), seen, total, query: read, words };
}

/** The words as a parameter of a service; undefined if they are too long for one. */
function queryText(search: OfferSearch | undefined): string | undefined {
  return search !== undefined && readParameter("q", search.text).ok ? search.text : undefined;
}

/** The query with the images of all providers, if its words ask for one. */
async function withSearchedImages(query: Query, source: OfferSource, offers: readonly Offer[]): Promise<Query> {
  const { search } = query.filter;
  return search !== undefined && asksForImage(search, offers)
    ? { ...query, filter: { ...query.filter, search: withImages(search, await readAllImages(source)) } }
    : query;
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
 * are read, unless the source has counted them, or `isRead`: then no more is read at all.
 */
export async function nothingMatches(source: OfferSource, matches: Matches, isRead = false): Promise<Failure> {
  const { query, words } = matches;
  const isCounted = isRead || words !== undefined;
  const offers = isCounted ? matches.seen : (await readMatches(source, { ...query, filter: {} })).seen;
  const advice = exclusions(matches, offers)
    .slice(0, 3)
    .map(({ key, count }) => `${withoutFilter(key, query.filter)}: ${countOf(count, "offer")}`);
  const reading =
    words === undefined
      ? [...unknownRegions(offers, query), ...readingsOf(offers, query), ...nearestText(offers, query)]
      : [
          ...unknownRegions(offers, query, "No offer with these words is in the region"),
          ...readingOf(words.understood, "Read as "),
          ...(isRead ? [] : await nearestServedText(source, query, words.understood)),
        ];
  const all = [...reading, ...advice];
  const hint = all.length === 0 ? "Relax the filters, or wait with --watch." : all.map(asSentence).join(" ");
  return new Failure(EXIT.nothing, `no offers match. ${hint}`);
}

/** Maximum number of near texts that a service is asked for. */
const MAX_TRIES = 6;

/** The nearest text with matches of a service, which has read the words. */
async function nearestServedText(
  source: OfferSource,
  query: Query,
  understood: readonly Understood[],
): Promise<string[]> {
  const unknown = understood.flatMap(({ text, nearest }) => (nearest === undefined ? [] : [{ text, nearest }]));
  for (const text of nearTexts(query.filter.search?.text ?? "", unknown).slice(0, MAX_TRIES)) {
    const filter = { ...query.filter, search: compileSearch(text) };
    // In an order of the service, its first page is enough.
    const { total } = await readMatches(source, { ...query, filter, sort: "pricePerGpu" }, { limit: 1 });
    if (total > 0) {
      return [nearestSentence(text, total)];
    }
  }
  return [];
}

function nearestSentence(text: string, count: number): string {
  return `Nearest text ${JSON.stringify(text)}: ${countOf(count, "offer")}`;
}

/** How many offers each filter excludes: as the source counted, and those that it doesn't know. */
function exclusions({ query, words }: Matches, offers: readonly Offer[]): { key: FilterKey; count: number }[] {
  const { search: _, ...others } = query.filter;
  const counted = Object.entries(words?.excludedBy ?? {}).flatMap(([name, count = 0]) => {
    const key = oldKeyOf(name as ListingParameterName);
    return key === undefined ? [] : [{ key, count }];
  });
  return [...counted, ...leaveOneOut(offers, words === undefined ? query.filter : others)].sort(
    (a, b) => b.count - a.count,
  );
}

/**
 * How the words of the text were taken, if otherwise than written: `h100: H100 in 4 forms; in germany: Germany`. Unknown
 * words are sentences of their own.
 */
function readingOf(understood: readonly Understood[], prefix = ""): string[] {
  const taken = understood.filter(({ nearest }) => nearest === undefined);
  const unknown = understood.filter(({ nearest }) => nearest !== undefined);
  const reading = taken.map(({ text, as }) => `${text}: ${as}`).join("; ");
  return [
    ...(reading === "" ? [] : [prefix + reading]),
    ...unknown.map(({ text, as }) => `${JSON.stringify(text)} is ${as}`),
  ];
}

/** Reports {@link readingOf}, if there is any. */
export function reportReading({ seen, query, words }: Matches, onReading?: (text: string) => void): void {
  readingOf(words?.understood ?? understoodIn(seen, query)).forEach((text) => onReading?.(text));
}

/** The reading of a text, if it is otherwise than written, and its unknown words if it finds nothing. */
export function readingsOf(offers: readonly Offer[], query: Query): string[] {
  const unknown = query.filter.search?.among(offers).parsed.unknown ?? [];
  return readingOf([...understoodIn(offers, query), ...unknown.map(unknownUnderstood)], "Read as ");
}

/** Regions that no offer has, with similar ones. */
function unknownRegions(
  offers: readonly Offer[],
  { filter: { region = [] } }: Query,
  words = "No region is called",
): string[] {
  const known = [...new Set(offers.map((offer) => offer.region))];
  return region
    .filter((name) => !offers.some((offer) => matchesOffer(offer, { region: [name] })))
    .map((name) => {
      const near = nearNames(name, known);
      const similar = near.length === 0 ? "" : ` (similar: ${near.join(", ")})`;
      return `${words} ${JSON.stringify(name)}${similar}`;
    });
}

/** The nearest text with matches among the offers that pass the other filters. */
function nearestText(offers: readonly Offer[], { filter: { search, ...others } }: Query): string[] {
  const [reading] = search === undefined ? [] : nearSearches(search.text, searchCatalogOf(matching(offers, others)));
  return reading === undefined ? [] : [nearestSentence(reading.text, reading.count)];
}
