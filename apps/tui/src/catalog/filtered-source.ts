import {
  atSpotPrice,
  matchesListing,
  UNKNOWN_LISTING_FACTS,
  type ListedOffer,
  type ListingFilter,
} from "@gpu-offers/domain";
import { countOf } from "@gpu-offers/list";
import type { ListPart, OfferSource, SourceQuery } from "./offer-source.js";

/** The offers of a source that match a filter about what it states beyond them; with `spot`, at their spot prices. */
export function filteredSource(source: OfferSource, filter: ListingFilter): OfferSource {
  /** Number of offers of the last list whose host isn't verified, as far as it was read. */
  let unverified = 0;
  let isWhole = false;

  const priced = (offer: ListedOffer): ListedOffer => (filter.spot === undefined ? offer : atSpotPrice(offer));

  function filtered(offer: ListedOffer): ListedOffer[] {
    const { listing = UNKNOWN_LISTING_FACTS } = offer;
    if (matchesListing({ offer, ...listing }, filter)) {
      return [priced(offer)];
    }
    unverified += filter.verified === "not-false" && listing.verified === false ? 1 : 0;
    return [];
  }

  async function* list(query: SourceQuery, signal?: AbortSignal): AsyncGenerator<ListPart> {
    unverified = 0;
    isWhole = false;
    for await (const part of source.list(query, signal)) {
      if (part.kind === "restart") {
        unverified = 0;
        yield part;
        continue;
      }
      const offers = part.offers.flatMap(filtered);
      yield { ...part, offers, total: part.total - (part.offers.length - offers.length) };
    }
    isWhole = true;
  }

  const changed: Partial<OfferSource> = {
    list,
    findOffer: async (id, signal) => {
      const offer = await source.findOffer(id, signal);
      return offer && priced(offer);
    },
    get leftOut() {
      const atLeast = isWhole ? "" : "at least ";
      return unverified === 0
        ? undefined
        : `${atLeast}${countOf(unverified, "offer")} of unverified hosts left out. --verified any includes them.`;
    },
  };
  return new Proxy(source, {
    get: (_, name) => {
      const member: unknown = Reflect.get(name in changed ? changed : source, name);
      return typeof member === "function" ? (member.bind(source) as unknown) : member;
    },
  });
}

/** Whether a filter excludes anything. */
export function filtersListings(filter: ListingFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
