import type { LaunchedListing } from "./launch-text.js";
import { providerKey } from "../provider/provider-key.js";
import { UNKNOWN_REGION } from "../place/region.js";

/** Where a listing is, as the tools of its provider take it. */
export interface LaunchPlace {
  /** Region, or a data center of RunPod; undefined if it is unknown. */
  region: string | undefined;
  /** Name of the zone, if its source states one; ids such as `use1-az2` mean another zone in another account. */
  zone: string | undefined;
  /** ISO 3166-1 alpha-2; undefined if it is unknown. */
  country: string | undefined;
}

/** What readers of catalogs call the region of an offer whose source has none. */
const UNKNOWN_REGION_NAME = "unknown";

/** RunPod's ids of data centers are like EU-NL-1; other regions of its offers are countries. */
const RUNPOD_DATA_CENTER = /^[A-Z]{2,4}-[A-Z]{2,4}-\d+$/;

/** Zones in place of a region, with the region in them: `us-central1-b`, `us-east-1a`, `us-west-2-lax-1a`. */
const ZONES: ReadonlyMap<string, RegExp> = new Map([
  ["gcp", /^([a-z]+(?:-[a-z]+)+\d+)-[a-z]$/],
  ["aws", /^([a-z]{2}(?:-[a-z]+)+-\d)(?:[a-z]|-[a-z\d-]+)$/],
]);

/** Where a listing is. */
export function launchPlace({ offer }: Pick<LaunchedListing, "offer">): LaunchPlace {
  const key = providerKey(offer.provider.name);
  const { countryCode } = offer.regionInfo;
  const country = countryCode === UNKNOWN_REGION.countryCode ? undefined : countryCode;
  const parts = offer.region.split("/");
  if (key === "runpod") {
    return { region: parts.find((part) => RUNPOD_DATA_CENTER.test(part)), zone: undefined, country };
  }
  const [stated = ""] = parts;
  const region = ZONES.get(key)?.exec(stated)?.[1];
  const isKnown = stated !== "" && stated !== UNKNOWN_REGION_NAME;
  return region === undefined
    ? { region: isKnown ? stated : undefined, zone: undefined, country }
    : { region, zone: stated, country };
}
