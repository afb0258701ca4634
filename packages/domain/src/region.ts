import type { RegionInfo } from "./region-schema.js";

/** The seven continents of the `continent` filter (docs/interface.md, Listing), in the spelling that offers carry. */
export const CONTINENTS = [
  "Africa",
  "Antarctica",
  "Asia",
  "Europe",
  "North America",
  "Oceania",
  "South America",
] as const;

/** One of the seven continent names. */
export type Continent = (typeof CONTINENTS)[number];

/** Continent of an offer in an unknown region. It isn't a value of the filter. */
export const UNKNOWN_CONTINENT = "Unknown";

const CONTINENT_CODES: Readonly<Record<Continent, string>> = {
  Africa: "AF",
  Antarctica: "AN",
  Asia: "AS",
  Europe: "EU",
  "North America": "NA",
  Oceania: "OC",
  "South America": "SA",
};

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

/** Two-letter code of a continent (`EU`, `NA`, ...), or `??` for any name that isn't exactly one of the seven. */
export function continentCode(continent: string): string {
  const known = CONTINENTS.find((name) => name === continent);
  return known === undefined ? "??" : CONTINENT_CODES[known];
}

/** Short place of an offer for lists: `EU-NO`, `NA-US`, or `??` if the region is unknown. */
export function placeCode(region: RegionInfo): string {
  const code = continentCode(region.continent);
  return region.countryCode === UNKNOWN_REGION.countryCode ? code : `${code}-${region.countryCode}`;
}

/** Parses a continent name, ignoring case and outer spaces; undefined if unknown. */
export function findContinent(text: string): Continent | undefined {
  const wanted = text.trim().toLowerCase();
  return CONTINENTS.find((continent) => continent.toLowerCase() === wanted);
}
