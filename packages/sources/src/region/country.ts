import type { RegionInfo } from "@gpu-offers/domain";
import { continents, countries, getCountryDataList, type TCountryCode } from "countries-list";

/**
 * The place as offers carry it, with the English name and the continent of the country.
 * @param code ISO 3166-1 alpha-2, in capitals; undefined is the answer for any other.
 * @param cityState City or state in the provider's words. A country is no part of itself and leaves it empty.
 */
export function placeIn(code: string, cityState: string): RegionInfo | undefined {
  if (!isCountryCode(code)) {
    return undefined;
  }
  const { name, continent } = countries[code];
  return {
    countryCode: code,
    countryName: name,
    cityState: cityState === name ? "" : cityState,
    continent: continents[continent],
  };
}

/** The alpha-2 code of the country that a text names in English, or by its alpha-3 code; case does not matter. */
export function findCountryCode(text: string): string | undefined {
  return codesByName.get(nameKey(text));
}

function isCountryCode(code: string): code is TCountryCode {
  return Object.hasOwn(countries, code);
}

/** Sources run words together ("unitedkingdom"), so letters alone are compared. */
const nameKey = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

const codesByName: ReadonlyMap<string, string> = new Map(
  getCountryDataList().flatMap(({ iso2, iso3, name, alias = [] }) =>
    [iso3, name, ...alias].map((text) => [nameKey(text), iso2] as const),
  ),
);
