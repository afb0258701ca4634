import type { Seller, StatedFacts } from "@gpu-offers/domain";
import type { Column } from "./columns.js";
import { parseDecimal } from "./decimal.js";
import type { ProviderQuirks } from "./provider-quirks.js";

/** What a row states beyond its offer: what one rents, the spot price, and who sells it. */
export function factsOfRow(get: (column: Column) => string, quirks: ProviderQuirks): StatedFacts {
  const name = get("InstanceType");
  const upstream = get("UpstreamCloudId");
  const spot = parseDecimal(get("SpotPrice"));
  return {
    instanceType: upstream || (quirks.typesAreOwn ? name : null),
    // SkyPilot launches by its own name.
    toolNames: quirks.typesAreOwn ? {} : { sky: name },
    seller: quirks.typesAreOwn ? "cloud" : sellerIn(name),
    spot: spot === undefined ? null : { priceHourly: spot, kind: quirks.spotIsBid ? "bid" : "price" },
  };
}

/** `1x_A100-80GB_SECURE`: RunPod's clouds of data centers and of individuals. */
function sellerIn(name: string): Seller | null {
  const [, cloud = ""] = /_(SECURE|COMMUNITY)$/.exec(name) ?? [];
  return cloud === "" ? null : cloud === "SECURE" ? "partner" : "host";
}
