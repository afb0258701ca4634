import { continentCode, UNKNOWN_CONTINENT } from "./continent.js";
import type { RegionInfo } from "./region-schema.js";

/**
 * `regionInfo` of an unknown region. `cityState` is empty, because the region's name is all that is known. A region that
 * states its continent (`eu-west-3`) has that instead of `Unknown`.
 */
export const UNKNOWN_REGION: Readonly<RegionInfo> = Object.freeze({
  countryCode: "ZZ",
  countryName: "Unknown",
  cityState: "",
  continent: UNKNOWN_CONTINENT,
});

/** A region and, of a zone (`us-east-1/use1-az4`), the region that it is in. */
export function regionsOf(region: string): string[] {
  const [whole = "", zone] = region.split("/", 2);
  return zone === undefined || whole === "" ? [region] : [region, whole];
}

/** Whether a zone is in a region, or is that region, in any case. */
export function isWithinRegion(zone: string, region: string): boolean {
  return `${zone}/`.toLowerCase().startsWith(`${region}/`.toLowerCase());
}

/** Short place of an offer for lists: `EU-NO`, `NA-US`, or `??` if the region is unknown. */
export function placeCode(region: RegionInfo): string {
  const code = continentCode(region.continent);
  return region.countryCode === UNKNOWN_REGION.countryCode ? code : `${code}-${region.countryCode}`;
}
