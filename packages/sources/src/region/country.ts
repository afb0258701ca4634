import { findContinent, type Continent, type RegionInfo } from "@gpu-offers/domain";
import { continents, countries, getCountryDataList, type TCountryCode } from "countries-list";

// Exceptions from the library. The United Nations count Russia, whose data centers are in the west, as Europe:
// https://unstats.un.org/unsd/methodology/m49/.
const MAIN_CONTINENTS: ReadonlyMap<string, Continent> = new Map([["RU", "Europe"]]);

/**
 * `regionInfo` of a location in a country, with the country's English name.
 * @param code ISO 3166-1 alpha-2, in upper case; undefined is returned for anything else.
 * @param cityState City or state as the provider writes it. A text that only names the country becomes empty.
 * @param continent Continent that the source states; by default the country's own. They differ for countries on two
 * continents, such as Russia.
 */
export function regionInCountry(code: string, cityState: string, continent?: Continent): RegionInfo | undefined {
  if (!isCountryCode(code)) {
    return undefined;
  }
  const { name, continent: main } = countries[code];
  return {
    countryCode: code,
    countryName: name,
    cityState: findCountryCode(cityState) === code ? "" : cityState,
    continent: continent ?? MAIN_CONTINENTS.get(code) ?? continents[main],
  };
}

/** The alpha-2 code in a text, in either case; `UK` counts as `GB`. Undefined for any other text. */
export function countryCodeOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  // UK is not an ISO code, but everyone uses it.
  return code === "UK" ? "GB" : isCountryCode(code) ? code : undefined;
}

/** The alpha-2 code of the country that a text names in English, or by its alpha-3 code; case is ignored. */
export function findCountryCode(text: string): string | undefined {
  return codesByName.get(nameKey(text)) ?? codesByAlpha3.get(text.trim().toUpperCase());
}

/** Like {@link findCountryCode}, without alpha-3 codes, which are ambiguous with airport codes (`FRA`, `MEX`). */
export function findCountryName(text: string): string | undefined {
  return codesByName.get(nameKey(text));
}

/** The continent that a text states: its name or its two-letter code (`EU`), in any case. */
export function continentOf(text: string): Continent | undefined {
  const trimmed = text.trim();
  const code = trimmed.toUpperCase();
  const byCode = Object.hasOwn(continents, code) ? continents[code as keyof typeof continents] : undefined;
  return findContinent(byCode ?? trimmed.replaceAll(/[_-]+/g, " "));
}

function isCountryCode(code: string): code is TCountryCode {
  return Object.hasOwn(countries, code);
}

/** A name to compare. Sources join words differently ("unitedkingdom", "united_states"), so only letters are compared. */
export function nameKey(text: string): string {
  return text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
}

// Common names that are not aliases in the library.
const COMMON_NAMES: readonly (readonly [string, string])[] = [
  ["england", "GB"],
  ["gb", "GB"],
  ["hong kong sar", "HK"],
  ["korea", "KR"],
  ["northern ireland", "GB"],
  ["scotland", "GB"],
  ["taiwan province of china", "TW"],
  ["the netherlands", "NL"],
  ["wales", "GB"],
];

const codesByName: ReadonlyMap<string, string> = new Map([
  ...getCountryDataList().flatMap(({ iso2, name, alias = [] }) =>
    [name, ...alias].map((text) => [nameKey(text), iso2] as const),
  ),
  ...COMMON_NAMES.map(([text, code]) => [nameKey(text), code] as const),
]);

const codesByAlpha3: ReadonlyMap<string, string> = new Map(getCountryDataList().map(({ iso2, iso3 }) => [iso3, iso2]));
