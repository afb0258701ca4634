import type { FilteredListing } from "./listing-parameter.js";
import { queryOf } from "./listing-filter.js";
import { isListingParameter, LISTING_PARAMETER_NAMES } from "./listing-parameter-names.js";
import type { ListingParameterName } from "./listing-parameters.js";
import type { ListingQuery, WrittenQuery } from "./listing-query-schema.js";
import { DOOR_DEFAULTS } from "./door-defaults.js";
import { asSentence } from "../text/sentence.js";
import { ListingCatalog } from "./listing-catalog.js";
import { listingTotal } from "./listing-total.js";
import { NOT_SOLD_OUT } from "../offer/availability.js";
import type { ListingTotal } from "../offer/listing-schema.js";
import { pricedOffer } from "../offer/priced-offer.js";
import { readParameter } from "./read-parameter.js";
import { nearNames } from "../text/near-names.js";
import type { Offer } from "../offer/offer-schema.js";

/** A listing that matches, with its cost. */
export interface PricedListing extends FilteredListing {
  /** The offer: prices in USD per hour, sizes in GB. With `spot`, at its spot price. */
  offer: Offer;
  /** Its cost with the disk of the query. */
  total: ListingTotal;
}

/**
 * The listings that match a query, by the same rules as `GET /api/v2/listings`: cheapest with the disk first, none that are sold
 * out or of hosts that a marketplace hasn't verified, and at most 25, unless the query says otherwise. Offers whose disk has
 * an unknown price follow all others.
 * @param offers offers, or listings with what their sources state beyond them.
 * @param query numbers and lists, or texts as in a URL: `disk: "1TB"`, `gpu: "h100,h200"`.
 * @throws RangeError that names every unknown parameter and name, and every invalid value.
 * @example cheapestListings(offers, { gpu: ["h100"], min_gpu_count: 8, country: ["European Union"], disk: 500, size: 3 })
 */
export function cheapestListings(
  offers: readonly (Offer | FilteredListing)[],
  query: WrittenQuery = {},
): PricedListing[] {
  const invalid: string[] = [];
  const asked: ListingQuery = {
    ...DOOR_DEFAULTS,
    ...("available" in query ? {} : { availability: NOT_SOLD_OUT }),
    sort_by: "total",
    ...read(query, invalid),
  };
  const catalog = ListingCatalog.of(offers.map((offer) => ("offer" in offer ? offer : { ...UNKNOWN, offer })));
  const { selection, problems } = catalog.prepare(asked);
  const reasons = [...invalid, ...problems.map(({ parameter, reason }) => asSentence(`${parameter} ${reason}`))];
  if (reasons.length > 0) {
    throw new RangeError(reasons.join("\n"));
  }
  const { page = 0, size = 25 } = asked;
  const { positions } = catalog.select(selection, { page, size });
  return Array.from(positions, (position) => {
    const listing = catalog.index.listingAt(position);
    const offer = pricedOffer(listing, selection.filter.spot !== undefined);
    return { ...listing, offer, total: listingTotal(offer, { ...asked, disk: selection.filter.disk }) };
  });
}

const UNKNOWN = { instanceType: null, seller: null, verified: null, spot: null };

/** The values of a query, read as those of a URL; adds a sentence to `invalid` for everything that can't be read. */
function read(query: WrittenQuery, invalid: string[]): ListingQuery {
  const values = new Map<ListingParameterName, unknown>();
  for (const [name, given] of Object.entries(query)) {
    if (!isListingParameter(name)) {
      // Types exclude unknown parameters, but JavaScript and wider objects don't, and ignoring one would widen the list.
      const [near] = nearNames(name, LISTING_PARAMETER_NAMES);
      invalid.push(`There is no parameter ${name}.${near === undefined ? "" : ` Did you mean ${near}?`}`);
    } else if (given === undefined) {
      values.set(name, undefined); // No default either: `available: undefined` means all.
    } else {
      const value = readParameter(name, String(given));
      if (!value.ok) {
        invalid.push(`${name} ${value.reason}, not ${JSON.stringify(given)}.`);
      } else {
        // Items of a list may have commas, as regions do.
        values.set(name, Array.isArray(given) && Array.isArray(value.value) ? given : value.value);
      }
    }
  }
  return queryOf(values);
}
