import { lazily } from "../memoized.js";
import { nearNames } from "../text/near-names.js";
import { CONTINENTS, continentCode, type Continent } from "../place/continent.js";
import { placeLines } from "./place-names.facts.js";
import { fold } from "./search-text.js";

// Common names of continents, countries and groups of them. Codes are in lower case here, those of continents with
// an @ before them: Saudi Arabia is sa, South America is @sa.

/** Codes by name, those of facts/place-names.csv and those of continents. */
const called: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...CONTINENTS.flatMap((name) => {
    const code = `@${continentCode(name).toLowerCase()}`;
    return [lettersOf(name), code.slice(1)].map((text) => [text, new Set([code])] as const);
  }),
  ...placeLines.split("\n").flatMap((line) => {
    const [texts = "", places = ""] = line.split("|");
    return texts.split(" ").map((text) => [text, new Set(places.split(" "))] as const);
  }),
]);

/** The 27 members of the European Union, by ISO codes in lower case. */
export const EUROPEAN_UNION: readonly string[] = [...(called.get("europeanunion") ?? [])];

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
  return countryCodes().get(lettersOf(name));
}

/** The English name of a country's code in upper case; undefined if it is none. */
export function countryName(code: string): string | undefined {
  return countryNames().get(code);
}

/** Codes that CLDR contains but that are not countries. */
const noCountries = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

/** Countries by code. Created when first needed, because the platform's tables take memory. */
const countryNames = lazily((): ReadonlyMap<string, string> => {
  const display = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  // An obsolete code resolves to its successor.
  const current = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code);
  return new Map(current.map((code) => [code, display.of(code) ?? ""] as const).filter(([, name]) => name !== ""));
});

const countryCodes = lazily(
  () => new Map([...countryNames()].toReversed().map(([code, country]) => [lettersOf(country), code])),
);

/** The letters of a place's name. Spellings differ in "Bosnia & Herzegovina", "The Gambia" and "Saint Lucia". */
export function lettersOf(text: string): string {
  const words = fold(text).split(/[^a-z]+/);
  return words.map((word) => ({ saint: "st", and: "", the: "" })[word] ?? word).join("");
}
