import {
  BALTICS,
  BENELUX,
  CENTRAL_AMERICA,
  DACH,
  EUROPEAN_UNION,
  MIDDLE_EAST,
  NORDICS,
  SCANDINAVIA,
} from "../place/country-groups.js";
import { nearNames } from "../text/near-names.js";
import { CONTINENTS, continentCode, type Continent } from "../place/continent.js";
import { fold } from "./search-text.js";

// Common names of continents, countries and groups of them. Codes are in lower case here, those of continents with
// an @ before them: Saudi Arabia is sa, South America is @sa.

/** Abbreviations and other names of continents and countries; only letters. */
const calledPlaces: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    CONTINENTS.flatMap((name) => {
      const code = `@${continentCode(name).toLowerCase()}`;
      return [[lettersOf(name), [code]] as const, [code.slice(1), [code]] as const];
    }),
  ),
  // Groups of countries and continents.
  america: ["@na", "@sa"],
  americas: ["@na", "@sa"],
  amer: ["@na", "@sa"],
  apac: ["@as", "@oc"],
  asiapacific: ["@as", "@oc"],
  emea: ["@eu", "@af", ...MIDDLE_EAST],
  latam: ["@sa", ...CENTRAL_AMERICA],
  latinamerica: ["@sa", ...CENTRAL_AMERICA],
  middleeast: MIDDLE_EAST,
  nordic: NORDICS,
  nordics: NORDICS,
  scandinavia: SCANDINAVIA,
  baltics: BALTICS,
  benelux: BENELUX,
  dach: DACH,
  european: ["@eu"],
  europeanunion: EUROPEAN_UNION,
  euunion: EUROPEAN_UNION,
  eumembers: EUROPEAN_UNION,
  eumemberstates: EUROPEAN_UNION,
  eucountries: EUROPEAN_UNION,
  // Alternative names of countries.
  usa: ["us"],
  unitedstatesofamerica: ["us"],
  uk: ["gb"],
  gbr: ["gb"],
  britain: ["gb"],
  greatbritain: ["gb"],
  england: ["gb"],
  scotland: ["gb"],
  wales: ["gb"],
  holland: ["nl"],
  uae: ["ae"],
  emirates: ["ae"],
  korea: ["kr"],
  southkorea: ["kr"],
  czechrepublic: ["cz"],
  czechia: ["cz"],
  turkey: ["tr"],
  hongkong: ["hk"],
  macau: ["mo"],
  macao: ["mo"],
  ivorycoast: ["ci"],
  burma: ["mm"],
  myanmar: ["mm"],
  caboverde: ["cv"],
  easttimor: ["tl"],
  palestine: ["ps"],
  republicofcongo: ["cg"],
  democraticrepublicofcongo: ["cd"],
  aland: ["ax"],
  bonaire: ["bq"],
  heardislandmcdonaldislands: ["hm"],
  usminoroutlyingislands: ["um"],
  swiss: ["ch"],
};

const called: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(calledPlaces).map(([name, codes]) => [name, new Set(codes)]),
);

/**
 * Codes of the places that a name means apart from official names: `eu`, `uk`, `apac`, `nordics`. Undefined for other
 * names, including those of countries, which offers contain themselves.
 */
export function placesCalled(name: string): ReadonlySet<string> | undefined {
  if (/\d/.test(name)) {
    return /^eu[\s-]?27$/i.test(name.trim()) ? called.get("europeanunion") : undefined;
  }
  return called.get(lettersOf(name));
}

/** What a name resolved to, or the closest known names. */
export type Named<Value> =
  | {
      kind: "known";
      /** What the name means. */
      values: readonly Value[];
    }
  | {
      kind: "unknown";
      /** The nearest names. */
      nearest: readonly string[];
    };

/** The continents for a common name: `EU`, `europe`, `North America`, `na`, `americas`, `apac`. */
export function continentsCalled(name: string): Named<Continent> {
  const codes = placesCalled(name) ?? new Set();
  const values = CONTINENTS.filter((continent) => codes.has(`@${continentCode(continent).toLowerCase()}`));
  // A group with countries besides its continents is more than these continents.
  return values.length > 0 && values.length === codes.size
    ? { kind: "known", values }
    : { kind: "unknown", nearest: nearNames(name, CONTINENTS) };
}

/**
 * The countries for a common name, as ISO 3166-1 alpha-2 codes in upper case: a code, an English name, `UK`,
 * `nordics`. Among countries, `EU` is the European Union. English names are those of the platform (Unicode CLDR).
 */
export function countriesCalled(name: string): Named<string> {
  const letters = lettersOf(name);
  const code = letters.toUpperCase();
  if (countryNames().has(code)) {
    return { kind: "known", values: [code] };
  }
  const codes = letters === "eu" ? called.get("europeanunion") : placesCalled(letters);
  if (codes !== undefined && ![...codes].some((place) => place.startsWith("@"))) {
    return { kind: "known", values: [...codes].map((place) => place.toUpperCase()) };
  }
  const match = countryCalled(name);
  return match === undefined
    ? { kind: "unknown", nearest: nearNames(fold(name), countryNames().values()) }
    : { kind: "known", values: [match] };
}

/** The code of the country with this English name, in upper case: of two with the same letters, the first. */
export function countryCalled(name: string): string | undefined {
  codes ??= new Map([...countryNames()].toReversed().map(([code, country]) => [lettersOf(country), code]));
  return codes.get(lettersOf(name));
}

/** The English name of a country's code in upper case; undefined if it is none. */
export function countryName(code: string): string | undefined {
  return countryNames().get(code);
}

let codes: ReadonlyMap<string, string> | undefined;
let names: ReadonlyMap<string, string> | undefined;

/** Countries by code. Created when first needed, because the platform's tables take memory. */
function countryNames(): ReadonlyMap<string, string> {
  names ??= readCountryNames();
  return names;
}

/** Codes that CLDR contains but that are not countries. */
const noCountries = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

function readCountryNames(): ReadonlyMap<string, string> {
  const display = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const found = new Map<string, string>();
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = display.of(code);
    // An obsolete code resolves to its successor.
    if (name !== undefined && !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code) {
      found.set(code, name);
    }
  }
  return found;
}

/** The letters of a place's name. Spellings differ in "Bosnia & Herzegovina", "The Gambia" and "Saint Lucia". */
export function lettersOf(text: string): string {
  const words = fold(text).split(/[^a-z]+/);
  return words.map((word) => (word === "saint" ? "st" : word === "and" || word === "the" ? "" : word)).join("");
}
