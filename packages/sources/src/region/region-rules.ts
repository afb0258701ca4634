import { findCountryCode } from "./country.js";
import type { Place } from "./region-table.js";

/** Reads a place out of a region's text; undefined when it is not of the rule's form. The code may be of no country. */
export type RegionRule = (text: string) => Place | undefined;

/** Ways of naming regions that are safe to read with any provider. */
export const commonRules: readonly RegionRule[] = [placeCountryContinent, countryAndNumber];

/** Ways that belong to one provider: elsewhere `sa-east-1` would be Saudi Arabia. */
export const PROVIDER_RULES: ReadonlyMap<string, readonly RegionRule[]> = new Map([
  ["cudo", [codeCityNumber]],
  ["runpod", [dataCenter, isoCode]],
  ["shadeform", [cityCountryNumber]],
]);

/** Vast: `Michigan, US, NA`; the place may be missing, or be the country itself. */
function placeCountryContinent(text: string): Place | undefined {
  const [, place = "", code = ""] = /^(.*), ?([A-Z]{2}), ?[A-Z]{2}$/.exec(text) ?? [];
  return code === "" ? undefined : [code, place];
}

// Two letters that a region may well mean as a part of the world: Africa, Asia, Middle East, North
// America, South America. As a country they are Afghanistan, American Samoa, Montenegro, Namibia and
// Saudi Arabia; better no place than a wrong one.
const CONTINENTAL = new Set(["AF", "AS", "ME", "NA", "SA"]);

/** A country, perhaps numbered: `US`, `FINLAND`, `NORWAY-1`, `FIN-03`. */
function countryAndNumber(text: string): Place | undefined {
  const name = text.replace(/[- ]?\d+$/, "");
  if (/^[A-Z]{2}$/.test(name)) {
    // UK is no ISO code, but a name that everybody uses.
    return CONTINENTAL.has(name) ? undefined : [findCountryCode(name) ?? name, ""];
  }
  // Alpha-3 codes count in capitals only: in small letters they are words too often.
  const isName = /^[A-Za-z][A-Za-z ]{2,}$/.test(name) && !/^[a-z]{3}$/.test(name);
  const code = isName ? findCountryCode(name) : undefined;
  return code === undefined ? undefined : [code, ""];
}

/** Cudo: `no-luster-1`. */
function codeCityNumber(text: string): Place | undefined {
  const [, code, city] = /^([a-z]{2})-([a-z]+)-\d+$/.exec(text) ?? [];
  return code === undefined || city === undefined ? undefined : [code.toUpperCase(), cityName(city)];
}

/** Shadeform: `kansascity-usa-1`. */
function cityCountryNumber(text: string): Place | undefined {
  const [, city, country] = /^([a-z]+)-([a-z]+)-\d+$/.exec(text) ?? [];
  const code = country === undefined ? undefined : findCountryCode(country);
  return code === undefined || city === undefined ? undefined : [code, cityName(city)];
}

/** RunPod's data centers: `US-KS-2`, `CA-MTL-1`, `EU-SE-1`, `EUR-IS-1`. */
function dataCenter(text: string): Place | undefined {
  const [, area, part = ""] = /^([A-Z]{2,3})-([A-Z]{2,3})-\d+$/.exec(text) ?? [];
  if (area === "US") {
    return ["US", US_STATES.get(part) ?? ""];
  }
  if (area === "CA") {
    return ["CA", part === "MTL" ? "Montreal" : ""];
  }
  return area === undefined ? undefined : [part, ""];
}

/** RunPod's countries, which are ISO codes without exception. */
function isoCode(text: string): Place | undefined {
  return /^[A-Z]{2}$/.test(text) ? [text, ""] : undefined;
}

// City names of several words as region names run them together.
const CITY_NAMES: ReadonlyMap<string, string> = new Map([
  ["desmoines", "Des Moines"],
  ["hongkong", "Hong Kong"],
  ["kansascity", "Kansas City"],
  ["lasvegas", "Las Vegas"],
  ["losangeles", "Los Angeles"],
  ["newyork", "New York"],
  ["saltlakecity", "Salt Lake City"],
  ["sanfrancisco", "San Francisco"],
  ["sanjose", "San Jose"],
  ["santaclara", "Santa Clara"],
  ["telaviv", "Tel Aviv"],
]);

function cityName(word: string): string {
  return CITY_NAMES.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1);
}

const US_STATES: ReadonlyMap<string, string> = new Map(
  `AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|
GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|
MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|
NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|
OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|
VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming`
    .split(/\|\n?/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const),
);
