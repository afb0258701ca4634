import type { Seller, SPOT_KINDS } from "@gpu-offers/domain";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import type { ProviderType } from "../source-item.js";

type SpotKind = (typeof SPOT_KINDS)[number];

// Tiers of on-demand offers, without separators. An unknown tier is not assumed to be on-demand.
const ON_DEMAND = new Set(["", "ondemand", "standard", "secure", "community", "dedicated", "regular"]);
const SPOT = /spot|interrupt|preempt|bid/i;

/**
 * Returns a rejection unless offers of a tier are on-demand. A source without tiers passes null.
 * @param what Names the offer in the message.
 */
export function tierRejection(tier: string | null | undefined, what: string): Rejection | undefined {
  const name = tier ?? "";
  if (SPOT.test(name)) {
    return new Rejection("spot_only", `${what} is offered as ${showValue(name)} only.`);
  }
  return ON_DEMAND.has(name.toLowerCase().replaceAll(/[\s_-]+/g, ""))
    ? undefined
    : new Rejection("other_terms", `${what} has the tier ${showValue(name)}, which is not known to be on-demand.`);
}

/** Returns a rejection unless a price is in USD, which a source without currencies means. */
export function currencyRejection(currency: string | null | undefined): Rejection | undefined {
  return currency == null || currency.toUpperCase() === "USD"
    ? undefined
    : new Rejection("unknown_currency", `The price is in ${currency.slice(0, 8)}.`);
}

/** Terms of interruptible rent: a price of its own per hour, or the lowest bid; null if there is none. */
export function spotTerms(priceHourly: number | null | undefined, kind: SpotKind = "price") {
  return priceHourly == null ? null : { priceHourly, kind };
}

const MACHINES: ReadonlyMap<string, ProviderType> = new Map(
  Object.entries({
    vm: "vm",
    "virtual-machine": "vm",
    container: "container",
    "bare-metal": "bare-metal",
    baremetal: "bare-metal",
  } as const),
);

/** What a machine is, by how a reseller names it: `bare_metal`; undefined if the name is unknown. */
export function machineNamed(name: string): ProviderType | undefined {
  return MACHINES.get(name.toLowerCase().replaceAll("_", "-"));
}

/** Who stands behind a capacity class of a marketplace: secure capacity is in data centers, community capacity isn't. */
export function sellerOf(capacityClass: string | null | undefined): Seller | null {
  const [name = ""] = /secure|community/i.exec(capacityClass ?? "") ?? [];
  return name === "" ? null : name.toLowerCase() === "secure" ? "partner" : "host";
}
