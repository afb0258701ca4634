import type { Continent } from "@gpu-offers/domain";
import { continentOf, countryCodeOf, findCountryName } from "./country.js";
import {
  CANADIAN_PROVINCES,
  findCity,
  findState,
  form,
  located,
  type Located,
  type RegionRule,
  showCity,
  US_STATES,
} from "./place-names.js";
import { NAME_RULES, STATEMENT_RULES } from "./provider-grammar.js";

// How to parse regions that no table has. These forms work for any provider and always spell out a country, state or
// city. Abbreviations differ between providers, so they are in provider-grammar.ts.

/** The country that a region spells out, which no table and no zone may override. */
export function findStatement(provider: string, text: string): Located | undefined {
  return first([...(STATEMENT_RULES.get(provider) ?? []), ...STATEMENTS], text);
}

/** A location whose name is part of the text, in a form of the provider or a general one. */
export function readName(provider: string, text: string): Located | undefined {
  return first([...(NAME_RULES.get(provider) ?? []), ...NAMES], text);
}

function first(rules: readonly RegionRule[], text: string): Located | undefined {
  for (const rule of rules) {
    const found = rule(text);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

// Parts of the world in names of regions whose country is unknown: `eu-west-3`, `asia-pacific`. AP, SA and ME don't state
// a continent: regions with AP are in Asia or in Australia, SA is South America or Saudi Arabia, and the Middle East has
// countries on two continents.
const CONTINENT_WORDS: Readonly<Record<string, Continent>> = {
  africa: "Africa",
  asia: "Asia",
  asiapacific: "Asia",
  eu: "Europe",
  eur: "Europe",
  europe: "Europe",
  na: "North America",
  northamerica: "North America",
  oceania: "Oceania",
  southamerica: "South America",
};

// A continent before or after a part of it: `eu-west-3`, `northeurope2`, `Western Europe`, `asia-southeast4`.
const PART_OF_CONTINENT = "(?:(?:(?:north|south|east|west)(?:ern)?|central|mid)+)";
const CONTINENT = "(?:north[-_ ]?america|south[-_ ]?america|asia[-_ ]?pacific|africa|asia|europe|eur|eu|na|oceania)";
const CONTINENT_NAME = new RegExp(
  `^(?:${PART_OF_CONTINENT}[-_ ]?)?(?<continent>${CONTINENT})(?:[-_ ]?${PART_OF_CONTINENT})?(?:[-_ ]?\\d{1,3}[a-z]?)?(?:-[a-z])?$`,
  "i",
);

/** The continent that the name of a region states; undefined if it states none. */
export function continentIn(text: string): Continent | undefined {
  const name = CONTINENT_NAME.exec(text)?.groups?.["continent"] ?? "";
  return CONTINENT_WORDS[name.toLowerCase().replaceAll(/[-_ ]/g, "")];
}

// Two letters that a region may use for a part of the world: Africa, Asia, Middle East, North America, South America.
// As country codes they mean Afghanistan, American Samoa, Montenegro, Namibia and Saudi Arabia.
const CONTINENTAL: ReadonlySet<string> = new Set(["AF", "AS", "ME", "NA", "SA"]);

/** `Michigan, US, NA`: the location, its country, its continent. The location may be missing or be the country. */
const placeCountryContinent = form(/^(.*), ?([A-Z]{2}), ?([A-Z]{2})$/, (city, letters, part) =>
  inContinent(continentOf(part), countryCodeOf(letters), city),
);

/** `Europe-PL`, `North America-CA`: a continent and a country in it. */
const continentAndCode = form(/^([A-Za-z]{4,}(?:[-_ ][A-Za-z]{4,})?)[-_/ ]([A-Z]{2})$/, (part, letters) =>
  inContinent(continentOf(part), countryCodeOf(letters)),
);

function inContinent(continent: Continent | undefined, code: string | undefined, city = ""): Located | undefined {
  return continent === undefined || code === undefined ? undefined : { code, city, continent };
}

/** `NO - no-kristiansand-1`. */
const codeBeforeName = form(/^([A-Z]{2}) [-\u2013] (.+)$/, (letters, name) => {
  const code = countryCodeOf(letters);
  return code === undefined ? undefined : { code, city: cityIn(code, name) };
});

// Countries whose code is also that of a state, where regions usually mean the country.
const BEFORE_STATES: ReadonlySet<string> = new Set(["CA", "DE", "IN"]);

/** The country of two letters, unless they rather mean a state or a part of the world. */
function countryOfLetters(letters: string): string | undefined {
  const code = letters.toUpperCase();
  const isState = US_STATES.has(code) && !BEFORE_STATES.has(code);
  return isState || CONTINENTAL.has(code) ? undefined : countryCodeOf(code);
}

/** `US`, `gb`; not `VA`, which usually means Virginia and not the Vatican. */
const bareCode = form(/^([A-Z]{2}|[a-z]{2})$/, (letters) => located(countryOfLetters(letters)));

/** `FINLAND`, `NORWAY-1`, `united_kingdom`. */
function countryName(text: string): Located | undefined {
  return located(findUnambiguousCountry(withoutNumber(text)));
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
  const stated =
    located(findUnambiguousCountry(last) ?? findUnambiguousCode(last), before) ??
    located(findUnambiguousState(last), text);
  if (stated !== undefined) {
    return stated;
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
  return /^georgia$/i.test(name) && !/^us/i.test(text) ? undefined : findState(name);
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
  return territory !== undefined && TERRITORIES.has(territory) ? located(territory) : { code, city: showCity(city) };
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
  const place = continent === undefined ? (findCity(name) ?? findState(name)) : undefined;
  return { code, city: place?.code === code ? place.city : "" };
}

// Words for a part of a country or continent.
const PART = /^(?:north|south|east|west|central|mid)/i;

/** `india-south`, `KOREA_WEST-1`, `germany-west-central`: a country and a part of it. */
const countryAndPart = form(
  /^([a-z]+(?:[-_ ][a-z]+)*?)(?:[-_ ](?:north|south|east|west|central|mid)+)+(?:[-_ ]?\d{1,3}[a-z]?)?$/i,
  (country) => located(country.length < 3 ? undefined : findUnambiguousCountry(country)),
);

/** `frankfurt-1`, `us-newyork-2`, `Los Angeles`: a city known by name alone. */
function cityName(text: string): Located | undefined {
  const name = withoutNumber(text);
  const whole = findCity(name);
  if (whole !== undefined) {
    return whole;
  }
  const [, letters = "", rest = ""] = /^([a-z]{2})[-_ ]([a-z _-]+)$/i.exec(name) ?? [];
  const city = findCity(rest);
  return city !== undefined && countryCodeOf(letters) !== city.code && isNational(letters.toUpperCase(), city.code)
    ? undefined
    : city;
}

/** Whether two letters before a city are the code of a different country, rather than of a continent or a state. */
function isNational(code: string, country: string): boolean {
  return countryCodeOf(code) !== undefined && !CONTINENTAL.has(code) && !(country === "US" && US_STATES.has(code));
}

/**
 * `us-east-1`, `uk-south1`, `jp-east-1`, `CA-CENTRAL`: the code of a country and a part of it. Codes of states and of parts
 * of the world are not read as countries, except the countries that every provider abbreviates like this.
 */
const countryAndCompass = form(
  /^(usa|[a-z]{2})([-_ ]?)(?:gov[-_ ]?)?(?:north|south|east|west|central|mid)[a-z]*(?:[-_ ]?\d+[a-z]?)?(?:-[a-z])?$/i,
  (letters, separator) => {
    if (/^(?:usa?|uk|ca)$/i.test(letters)) {
      return located(countryCodeOf(letters.slice(0, 2)));
    }
    return located(separator === "" ? undefined : countryOfLetters(letters));
  },
);

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
  return /^georgia$/i.test(text) ? undefined : findState(text)?.code;
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
