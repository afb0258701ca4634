import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";

// Tiers of offers that are rented out on demand, without their separators. A tier that is not known is no such promise.
const ON_DEMAND = new Set(["", "ondemand", "standard", "secure", "community", "dedicated", "regular"]);
const SPOT = /spot|interrupt|preempt|bid/i;

/**
 * Why an offer of a tier is not rented out on demand; undefined if it is. A source that has no tiers passes null.
 * @param what Names the offer in the message.
 */
export function tierRejection(tier: string | null | undefined, what: string): Rejection | undefined {
  const name = tier ?? "";
  if (SPOT.test(name)) return new Rejection("spot_only", `${what} is offered as ${showValue(name)} only.`);
  return ON_DEMAND.has(name.toLowerCase().replaceAll(/[\s_-]+/g, ""))
    ? undefined
    : new Rejection("other_terms", `${what} has the tier ${showValue(name)}, which is not known to be on-demand.`);
}
