import { continentIn } from "./continent-grammar.js";
import { findCity, showCity } from "./cities.js";
import { continentOf, countryCodeOf, findCountryName } from "./country.js";
import { nameRules, statementRules } from "./provider-grammar.js";
import type { Located, RegionRule } from "./region-table.js";
import { CANADIAN_PROVINCES, findState, US_STATES } from "./us-states.js";

// How to parse regions that no table has. These forms work for any provider and always spell out a country, state or
// city. Abbreviations differ between providers, so they are in provider-grammar.ts.

/** The country that a region spells out, which no table and no zone may override. */
export function findStatement(provider: string, text: string): Located | undefined {
  return first([...statementRules(provider), ...STATEMENTS], text);
}

/** A location whose name is part of the text, in a form of the provider or a general one. */
export function readName(provider: string, text: string): Located | undefined {
  return first([...nameRules(provider), ...NAMES], text);
}

function first(rules: readonly RegionRule[], text: string): Located | undefined {
  for (const rule of rules) {
    const located = rule(text);
    if (located !== undefined) {
      return located;
    }
  }
  return undefined;
}

const STATEMENTS: readonly RegionRule[] = [
  placeCountryContinent,
  codeBeforeName,
  continentAndCode,
  bareCode,
  countryName,
  countryAndState,
  commaList,
];

const NAMES: readonly RegionRule[] = [
  stateName,
  numberedPlace,
  cityAndCountry,
  cityAndCode,
  countryAndPart,
  cityName,
  countryAndCompass,
];

// Two letters that a region may use for a part of the world: Africa, Asia, Middle East, North America, South America.
// As country codes they mean Afghanistan, American Samoa, Montenegro, Namibia and Saudi Arabia.
const CONTINENTAL: ReadonlySet<string> = new Set(["AF", "AS", "ME", "NA", "SA"]);

/** `Michigan, US, NA`: the location, its country, its continent. The location may be missing or be the country. */
function placeCountryContinent(text: string): Located | undefined {
  const [, city = "", code = "", part = ""] = /^(.*), ?([A-Z]{2}), ?([A-Z]{2})$/.exec(text) ?? [];
  const continent = continentOf(part);
  const country = countryCodeOf(code);
  return continent === undefined || country === undefined ? undefined : { code: country, city, continent };
}

/** `NO - no-kristiansand-1`. */
function codeBeforeName(text: string): Located | undefined {
  const [, code = "", name = ""] = /^([A-Z]{2}) [-\u2013] (.+)$/.exec(text) ?? [];
  const country = countryCodeOf(code);
  return country === undefined ? undefined : { code: country, city: cityIn(country, name) };
}

/** `Europe-PL`, `North America-CA`: a continent and a country in it. */
function continentAndCode(text: string): Located | undefined {
  const [, part = "", letters = ""] = /^([A-Za-z]{4,}(?:[-_ ][A-Za-z]{4,})?)[-_/ ]([A-Z]{2})$/.exec(text) ?? [];
  const continent = continentOf(part);
  const code = countryCodeOf(letters);
  return continent === undefined || code === undefined ? undefined : { code, city: "", continent };
}

// Countries whose code is also that of a state, where regions usually mean the country.
const BEFORE_STATES: ReadonlySet<string> = new Set(["CA", "DE", "IN"]);

/** `US`, `gb`; not `VA`, which usually means Virginia and not the Vatican. */
function bareCode(text: string): Located | undefined {
  const letters = text.toUpperCase();
  const isState = US_STATES.has(letters) && !BEFORE_STATES.has(letters);
  const isPlain = /^(?:[A-Z]{2}|[a-z]{2})$/.test(text) && !isState && !CONTINENTAL.has(letters);
  const code = isPlain ? countryCodeOf(text) : undefined;
  return code === undefined ? undefined : { code, city: "" };
}

/** `FINLAND`, `NORWAY-1`, `united_kingdom`. */
function countryName(text: string): Located | undefined {
  const code = findUnambiguousCountry(withoutNumber(text));
  return code === undefined ? undefined : { code, city: "" };
}

/** `US-GA-1`, `us-tx`, `CA-QC-2`: an ISO 3166-2 code of the USA or of Canada. */
function countryAndState(text: string): Located | undefined {
  const [, code = "", part = ""] = /^(US|CA)-([A-Z]{2})$/.exec(withoutNumber(text.toUpperCase())) ?? [];
  const city = (code === "US" ? US_STATES : CANADIAN_PROVINCES).get(part);
  return city === undefined ? undefined : { code, city };
}

/** `Frankfurt, Germany`; `Austin, TX`; `Reston, VA, US`; `US, Wichita, KS`. */
function commaList(text: string): Located | undefined {
  const parts = text.split(",").map((part) => part.trim());
  const [head = "", ...tail] = parts;
  const last = parts.at(-1) ?? "";
  const before = parts.slice(0, -1).join(", ");
  if (tail.length === 0 || before === "") {
    return undefined;
  }
  if (head === "US") {
    return { code: "US", city: tail.join(", ") };
  }
  // "Moldova, Republic of, MD": the code of the country that the text begins with, not of Maryland.
  const named = findUnambiguousCountry(head);
  if (named !== undefined && countryCodeOf(last) === named) {
    return { code: named, city: "" };
  }
  const country = findUnambiguousCountry(last) ?? findUnambiguousCode(last);
  if (country !== undefined) {
    return { code: country, city: before };
  }
  const state = findUnambiguousState(last);
  if (state !== undefined) {
    return { code: state, city: text };
  }
  // "San Jose, CA" and "Toronto, CA": the city determines whether the letters are a state's or a country's.
  const city = findCity(head);
  const isEither = city && (countryCodeOf(last) === city.code || (city.code === "US" && US_STATES.has(last)));
  const isGeorgia = city?.code === "US" && /^georgia$/i.test(last);
  return city && (isEither || isGeorgia) ? { code: city.code, city: head } : undefined;
}

/** `Texas`, `us-texas-1`, `Quebec`. */
function stateName(text: string): Located | undefined {
  const name = withoutNumber(text).replace(/^(?:usa?|ca|canada)[-_ ]/i, "");
  const state = /^georgia$/i.test(name) && !/^us/i.test(text) ? undefined : findState(name);
  return state && { code: state[0], city: state[1] };
}

/** `kansascity-usa-1`, `london-unitedkingdom-2`. */
function cityAndCountry(text: string): Located | undefined {
  const [, city = "", country = ""] = /^([a-z]+(?:[-_ ][a-z]+)*?)[-_ ]([a-z]+)$/i.exec(withoutNumber(text)) ?? [];
  const isOneName = findState(`${city} ${country}`) ?? findUnambiguousCountry(`${city} ${country}`);
  const code = country.length < 3 || isOneName ? undefined : findUnambiguousCountry(country);
  if (code === undefined) {
    return undefined;
  }
  // `ap-singapore-2`, `europe-finland`: a part of the world and a country.
  if (city.length < 3 || continentOf(city) !== undefined || continentIn(city) !== undefined) {
    return { code, city: "" };
  }
  const territory = findCountryName(city);
  return territory !== undefined && TERRITORIES.has(territory)
    ? { code: territory, city: "" }
    : { code, city: showCity(city) };
}

// Places with an ISO code of their own, which regions name together with a larger country: `hongkong-china-1`.
const TERRITORIES: ReadonlySet<string> = new Set(["HK", "MO", "TW", "PR", "GU", "VI", "GG", "IM", "RE", "GP", "MQ"]);

/**
 * `london-uk-1`, `oslo-no-2`, `san-jose-ca-1`: a known city and its country or state; any city in the UK or the USA;
 * `singapore-sg-1`: a country and its code.
 */
function cityAndCode(text: string): Located | undefined {
  const [, name = "", letters = ""] = /^([a-z]{3,}(?:[-_ ][a-z]+)*?)[-_ ]([a-z]{2})$/i.exec(withoutNumber(text)) ?? [];
  const code = countryCodeOf(letters);
  const city = findCity(name);
  if (code === undefined || PART.test(name)) {
    return undefined;
  }
  if (findUnambiguousCountry(name) === code) {
    return { code, city: "" };
  }
  if (city !== undefined) {
    const isInState = city.code === "US" && US_STATES.has(letters.toUpperCase());
    return city.code === code || isInState ? city : undefined;
  }
  return /^(?:uk|gb|us)$/i.test(letters) ? { code, city: showCity(name) } : undefined;
}

/** `norway_4_eu`, `generic_1_canada`, `new_york_1_usa`: a place, its number, and the country or continent around it. */
function numberedPlace(text: string): Located | undefined {
  const [, name = "", , around = ""] = /^([a-z]+(?:_[a-z]+)*)_(\d{1,3})_([a-z]+(?:_[a-z]+)*)$/i.exec(text) ?? [];
  const continent = continentOf(around);
  const code = continent === undefined ? findUnambiguousCountry(around) : findUnambiguousCountry(name);
  if (code === undefined) {
    return undefined;
  }
  const place = continent === undefined ? (findCity(name) ?? stateNamed(name)) : undefined;
  return { code, city: place?.code === code ? place.city : "" };
}

function stateNamed(name: string): Located | undefined {
  const state = findState(name);
  return state && { code: state[0], city: state[1] };
}

// Words for a part of a country or continent.
const PART = /^(?:north|south|east|west|central|mid)/i;

/** `india-south`, `KOREA_WEST-1`, `germany-west-central`: a country and a part of it. */
function countryAndPart(text: string): Located | undefined {
  const pattern =
    /^([a-z]+(?:[-_ ][a-z]+)*?)(?:[-_ ](?:north|south|east|west|central|mid)+)+(?:[-_ ]?\d{1,3}[a-z]?)?$/i;
  const [, country = ""] = pattern.exec(text) ?? [];
  const code = country.length < 3 ? undefined : findUnambiguousCountry(country);
  return code === undefined ? undefined : { code, city: "" };
}

/** `frankfurt-1`, `us-newyork-2`, `Los Angeles`: a city known by name alone. */
function cityName(text: string): Located | undefined {
  const name = withoutNumber(text);
  const [, prefix = "", rest = ""] = /^([a-z]{2})[-_ ]([a-z _-]+)$/i.exec(name) ?? [];
  const city = findCity(name) ?? findCity(rest);
  if (city === undefined) {
    return undefined;
  }
  const code = prefix.toUpperCase();
  const contradicts = findCity(name) === undefined && countryCodeOf(code) !== city.code && isNational(code, city.code);
  return contradicts ? undefined : city;
}

/** Whether two letters before a city are the code of a different country, rather than of a continent or a state. */
function isNational(code: string, country: string): boolean {
  return countryCodeOf(code) !== undefined && !CONTINENTAL.has(code) && !(country === "US" && US_STATES.has(code));
}

/**
 * `us-east-1`, `uk-south1`, `jp-east-1`, `CA-CENTRAL`: the code of a country and a part of it. Codes of states and of parts
 * of the world are not read as countries, except the countries that every provider abbreviates like this.
 */
function countryAndCompass(text: string): Located | undefined {
  const pattern =
    /^(usa|[a-z]{2})([-_ ]?)(?:gov[-_ ]?)?(?:north|south|east|west|central|mid)[a-z]*(?:[-_ ]?\d+[a-z]?)?(?:-[a-z])?$/i;
  const [, letters = "", separator = ""] = pattern.exec(text) ?? [];
  const code = letters.toUpperCase();
  if (/^(?:USA?|UK|CA)$/.test(code)) {
    return { code: code === "UK" ? "GB" : code.slice(0, 2), city: "" };
  }
  const isState = US_STATES.has(code) && !BEFORE_STATES.has(code);
  const country = separator === "" || isState || CONTINENTAL.has(code) ? undefined : countryCodeOf(code);
  return country === undefined ? undefined : { code: country, city: "" };
}

// Names of both a country and a US state, that a state's name ends with, or that two continents' names end with.
const AMBIGUOUS_COUNTRY = /^(?:georgia|jersey|america)$/i;

/** The code of a country named in English, unless the name is ambiguous. */
function findUnambiguousCountry(name: string): string | undefined {
  const letters = name.replaceAll(/[^\p{L}]/gu, "");
  const isAmbiguous = AMBIGUOUS_COUNTRY.test(letters) || (letters.length < 3 && !/^(?:gb|uk|us)$/i.test(letters));
  return isAmbiguous ? undefined : findCountryName(name);
}

/** Two capital letters that are the code of a country but not of a state. */
function findUnambiguousCode(text: string): string | undefined {
  const isState = US_STATES.has(text) || CANADIAN_PROVINCES.has(text);
  return /^[A-Z]{2}$/.test(text) && !isState && !CONTINENTAL.has(text) ? countryCodeOf(text) : undefined;
}

/** The country of a state or province given by full name or by a code that is not a country's. */
function findUnambiguousState(text: string): string | undefined {
  if (/^[A-Z]{2}$/.test(text)) {
    if (countryCodeOf(text) !== undefined) {
      return undefined;
    }
    return US_STATES.has(text) ? "US" : CANADIAN_PROVINCES.has(text) ? "CA" : undefined;
  }
  return /^georgia$/i.test(text) ? undefined : findState(text)?.[0];
}

/** The city in a name, if it is in the country: `no-kristiansand-1` of Norway is Kristiansand. */
function cityIn(country: string, name: string): string {
  const words = withoutNumber(name).replace(/^[A-Za-z]{2}[-_ ]/, "");
  const known = findCity(words);
  if (known !== undefined) {
    return known.code === country ? known.city : "";
  }
  return /^[a-z]{4,}(?:[-_ ][a-z]+)*$/.test(words) ? showCity(words) : "";
}

/** A name without the trailing number of a site: `NORWAY-1`, `dallas 2`, `FRANKFURT03`. */
function withoutNumber(text: string): string {
  return text.replace(/[-_ ]?\d{1,3}[a-z]?$/i, "");
}
