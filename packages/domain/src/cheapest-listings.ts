import { ListingCatalog } from "./listing-catalog.js";
import type { FilteredListing } from "./listing-filter.js";
import { listingTotal, type ListingTotal } from "./listing-total.js";
import { pricedOffer } from "./priced-offer.js";
import { LISTING_PARAMETER_NAMES, type ListingQuery } from "./listing-parameters.js";
import { nearNames } from "./near-names.js";
import { MAX_PAGE_SIZE } from "./page-size.js";
import type { Offer } from "./offer-schema.js";

/** A listing that matches, with its cost. */
export interface PricedListing extends FilteredListing {
  /** The offer: prices in USD per hour, sizes in GB. With `spot`, at its spot price. */
  offer: Offer;
  /** Its cost with the disk of the query. */
  total: ListingTotal;
}

/**
 * The listings that match a query, by the same rules as `GET /listings`: cheapest with the disk first, available ones only,
 * none of hosts that a marketplace hasn't verified, and at most 25, unless the query says otherwise. Offers whose disk has
 * an unknown price follow all others.
 * @param offers offers, or listings with what their sources state beyond them.
 * @throws RangeError that names every unknown parameter and name.
 * @example cheapestListings(offers, { gpu: ["h100"], min_gpu_count: 8, country: ["European Union"], disk: 500, size: 3 })
 */
export function cheapestListings(
  offers: readonly (Offer | FilteredListing)[],
  query: ListingQuery = {},
): PricedListing[] {
  const asked: ListingQuery = { available: true, verified: "not-false", sort_by: "total", ...query };
  const catalog = ListingCatalog.of(offers.map((offer) => ("offer" in offer ? offer : { ...UNKNOWN, offer })));
  const { selection, problems } = catalog.prepare(asked);
  const reasons = [...unknownParameters(query), ...problems.map(({ parameter, reason }) => `${parameter} ${reason}.`)];
  if (reasons.length > 0) {
    throw new RangeError(reasons.join("\n"));
  }
  const { page = 0, size = 25 } = asked;
  const { positions } = catalog.select(selection, { page, size: Math.min(size, MAX_PAGE_SIZE) });
  return Array.from(positions, (position) => {
    const listing = catalog.index.listingAt(position);
    const offer = pricedOffer(listing, selection.filter.spot !== undefined);
    return { ...listing, offer, total: listingTotal(offer, { ...asked, disk: selection.filter.diskGb }) };
  });
}

const UNKNOWN = { instanceType: null, seller: null, verified: null, spot: null };

/** Types exclude unknown parameters, but JavaScript and wider objects don't, and ignoring one would widen the list. */
function unknownParameters(query: ListingQuery): string[] {
  const known: readonly string[] = LISTING_PARAMETER_NAMES;
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [near] = nearNames(name, known);
      return `There is no parameter ${name}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
    });
}
