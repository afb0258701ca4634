import type { RegionInfo } from "./region-schema.js";

/** The seven continents of the `continent` filter (interface.md 4.1), in the spelling that offers carry. */
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

/** Continent of an offer whose region nobody could place. It cannot be asked for with the filter. */
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

/** `regionInfo` of a region that could not be placed. `cityState` keeps nothing: the region's own text says it. */
export const UNKNOWN_REGION: Readonly<RegionInfo> = Object.freeze({
  countryCode: "ZZ",
  countryName: "Unknown",
  cityState: "",
  continent: UNKNOWN_CONTINENT,
});

/** Two-letter code of a continent (`EU`, `NA`, ...), or `??` for a name that is not of the seven, to the letter. */
export function continentCode(continent: string): string {
  const known = CONTINENTS.find((name) => name === continent);
  return known === undefined ? "??" : CONTINENT_CODES[known];
}

/** Short place of an offer as a list shows it: `EU-NO`, `NA-US`, or `??` when the region is unknown. */
export function placeCode(region: RegionInfo): string {
  const code = continentCode(region.continent);
  return region.countryCode === UNKNOWN_REGION.countryCode ? code : `${code}-${region.countryCode}`;
}

/** The continent that a text names, whatever its case and outer spaces; undefined when it names none. */
export function findContinent(text: string): Continent | undefined {
  const wanted = text.trim().toLowerCase();
  return CONTINENTS.find((continent) => continent.toLowerCase() === wanted);
}
