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

/** Two-letter code of a continent (`EU`, `NA`, ...), or `??` for any name that isn't exactly one of the seven. */
export function continentCode(continent: string): string {
  const known = CONTINENTS.find((name) => name === continent);
  return known === undefined ? "??" : CONTINENT_CODES[known];
}

/** Parses a continent name, ignoring case and outer spaces; undefined if unknown. */
export function findContinent(text: string): Continent | undefined {
  const wanted = text.trim().toLowerCase();
  return CONTINENTS.find((continent) => continent.toLowerCase() === wanted);
}
