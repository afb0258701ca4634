import type { ListingFacts, Spot, StatedFacts } from "./listing-schema.js";
import { fromMicros, isPrice, MAX_PRICE, toMicrosUp } from "../money/money.js";
import type { Offer } from "./offer-schema.js";
import { isPlainText } from "../text/plain-text.js";

// What a source states about an offer beyond the fields of the API: what to rent, who sells it, and its spot price. Every
// rule on these facts is here, so that readers of sources state what their rows say, and nothing else.

/** Longest name of an instance type or of a provider's offer. */
const MAX_NAME_LENGTH = 200;

/**
 * The facts of an offer, in one order of fields. A value that cannot be right is unknown (null): an empty or unprintable
 * name, a reliability outside 0 to 1, a maximum below its minimum, and a spot price of 0 or not below the on-demand price (see {@link findSpot}). Facts never
 * cause an offer to be rejected.
 */
export function listingFacts(stated: StatedFacts, offer: Pick<Offer, "priceHourly">): ListingFacts {
  const sky = findName(stated.toolNames?.sky);
  const dstack = findName(stated.toolNames?.dstack);
  const boot = stated.bootSeconds;
  return {
    instanceType: findName(stated.instanceType),
    providerOfferId: findName(stated.providerOfferId),
    seller: stated.seller ?? null,
    verified: stated.verified ?? null,
    reliability: findShare(stated.reliability),
    toolNames: { ...(sky !== null && { sky }), ...(dstack !== null && { dstack }) },
    egressPerGB: findPrice(stated.egressPerGB),
    ingressPerGB: findPrice(stated.ingressPerGB),
    rentableUntil: stated.rentableUntil ?? null,
    bootSeconds: boot != null && boot.min <= boot.max ? boot : null,
    spotInterruption: findName(stated.spotInterruption),
    spot: findSpot(stated.spot, offer.priceHourly),
    storage: stated.storage ?? null,
    isCostComplete: stated.isCostComplete ?? null,
    converted: stated.converted ?? null,
    availability: stated.availability ?? null,
    stockLevel: findName(stated.stockLevel),
    sample: stated.sample ?? false,
  };
}

/** Facts of a source that states none. */
export const UNKNOWN_LISTING_FACTS: ListingFacts = /* @__PURE__ */ Object.freeze(listingFacts({}, { priceHourly: 0 }));

/**
 * Spot terms with at most 6 decimals, rounded up; null if there are none. A spot price of 0 means that there is no spot
 * market, and one that is not below the on-demand price is the on-demand price again.
 */
export function findSpot(spot: StatedFacts["spot"], onDemandHourly: number): Spot | null {
  const priceHourly = findPrice(spot?.priceHourly);
  return spot == null || priceHourly === null || priceHourly === 0 || priceHourly >= onDemandHourly
    ? null
    : { priceHourly, kind: spot.kind };
}

/** Whether facts say anything at all. */
export function isAnyFactKnown({ sample, ...facts }: ListingFacts): boolean {
  const isKnown = (value: unknown) =>
    typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== null;
  return sample || Object.values(facts).some(isKnown);
}

function findName(name: string | null | undefined): string | null {
  const trimmed = name?.trim() ?? "";
  return trimmed === "" || trimmed.length > MAX_NAME_LENGTH || !isPlainText(trimmed) ? null : trimmed;
}

function findShare(share: number | null | undefined): number | null {
  return typeof share === "number" && share >= 0 && share <= 1 ? share : null;
}

function findPrice(usd: number | null | undefined): number | null {
  if (typeof usd !== "number" || !(usd >= 0 && usd <= MAX_PRICE)) {
    return null;
  }
  return isPrice(usd) ? usd : fromMicros(toMicrosUp(usd));
}

/** The share of the observed hours in which it was in stock, in whole percent; null if nothing was observed. */
export function stockPercent(sum: ListingFacts["stock14d"]): number | null {
  return sum == null || sum.observedHours === 0 ? null : Math.round((100 * sum.inStockHours) / sum.observedHours);
}
