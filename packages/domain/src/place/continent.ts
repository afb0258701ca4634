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

/** In the order of {@link CONTINENTS}. */
const CODES = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"];

/** Two-letter code of a continent (`EU`, `NA`, ...), or `??` for any name that isn't exactly one of the seven. */
export function continentCode(continent: string): string {
  return CODES[CONTINENTS.findIndex((name) => name === continent)] ?? "??";
}

/** Parses a continent name, ignoring case and outer spaces; undefined if unknown. */
export function findContinent(text: string): Continent | undefined {
  const wanted = text.trim().toLowerCase();
  return CONTINENTS.find((continent) => continent.toLowerCase() === wanted);
}
