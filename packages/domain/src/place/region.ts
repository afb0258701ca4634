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

/** Short place of an offer for lists: `EU-NO`, `NA-US`, or `??` if the region is unknown. */
export function placeCode(region: RegionInfo): string {
  const code = continentCode(region.continent);
  return region.countryCode === UNKNOWN_REGION.countryCode ? code : `${code}-${region.countryCode}`;
}
