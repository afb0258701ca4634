import type { Continent } from "@gpu-offers/domain";

// Parts of the world in names of regions whose country is unknown: `eu-west-3`, `asia-pacific`. AP, SA and ME don't state
// a continent: regions with AP are in Asia or in Australia, SA is South America or Saudi Arabia, and the Middle East has
// countries on two continents.

const WORDS: ReadonlyMap<string, Continent> = new Map<string, Continent>([
  ["africa", "Africa"],
  ["asia", "Asia"],
  ["asiapacific", "Asia"],
  ["eu", "Europe"],
  ["eur", "Europe"],
  ["europe", "Europe"],
  ["na", "North America"],
  ["northamerica", "North America"],
  ["oceania", "Oceania"],
  ["southamerica", "South America"],
]);

// A continent before or after a part of it: `eu-west-3`, `northeurope2`, `Western Europe`, `asia-southeast4`.
const PART = "(?:(?:(?:north|south|east|west)(?:ern)?|central|mid)+)";
const CONTINENT = "(?:north[-_ ]?america|south[-_ ]?america|asia[-_ ]?pacific|africa|asia|europe|eur|eu|na|oceania)";
const NAME = new RegExp(
  `^(?:${PART}[-_ ]?)?(?<continent>${CONTINENT})(?:[-_ ]?${PART})?(?:[-_ ]?\\d{1,3}[a-z]?)?(?:-[a-z])?$`,
  "i",
);

/** The continent that the name of a region states; undefined if it states none. */
export function continentIn(text: string): Continent | undefined {
  const name = NAME.exec(text)?.groups?.["continent"] ?? "";
  return WORDS.get(name.toLowerCase().replaceAll(/[-_ ]/g, ""));
}
