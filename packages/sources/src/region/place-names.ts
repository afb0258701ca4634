import type { Continent } from "@gpu-offers/domain";
import { nameKey } from "./country.js";
import { cityLines, stateLines } from "./places.facts.js";

/** A location that a text names. The city is empty if the text has none. */
export interface Located {
  /** ISO 3166-1 alpha-2 code. */
  code: string;
  /** City or state, as the provider writes it. */
  city: string;
  continent?: Continent;
}

/** Parses a text of one form; undefined for any other form. */
export type RegionRule = (text: string) => Located | undefined;

/** A rule that reads the groups of a pattern; a group that takes no part is empty. */
export function form(pattern: RegExp, read: (...groups: string[]) => Located | undefined): RegionRule {
  return (text) => {
    const groups = pattern.exec(text)?.slice(1);
    return groups && read(...groups.map((group: string | undefined) => group ?? ""));
  };
}

/** A location in a country; undefined if there is no country. */
export function located(code: string | undefined, city = ""): Located | undefined {
  return code === undefined ? undefined : { code, city };
}

/**
 * The city that a text names, if the name is unambiguous among places with data centers; case, accents, spaces and
 * hyphens are ignored. Names that several places with data centers share (Birmingham, Portland) are left out.
 */
export function findCity(text: string): Located | undefined {
  return cities.get(nameKey(text));
}

/** A city as people write it: `kansascity` becomes Kansas City, `smedjebacken` Smedjebacken. */
export function showCity(words: string): string {
  const spaced = words.replaceAll(/[-_ ]+/g, " ");
  return findCity(words)?.city ?? spaced.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

/** The US state or Canadian province that a text names in English, with its full name; case is ignored. */
export function findState(text: string): Located | undefined {
  return states.get(nameKey(text));
}

const statesOf = (country: string): ReadonlyMap<string, string> =>
  new Map(stateLines[country]?.split("\n").map((line) => [line.slice(0, 2), line.slice(3)] as const));

/** US states by postal code, including the District of Columbia. */
export const US_STATES = statesOf("US");

/** Canadian provinces and territories by postal code. */
export const CANADIAN_PROVINCES = statesOf("CA");

/** Places by the keys of their names. */
function named(
  namesByCountry: Iterable<readonly [code: string, names: Iterable<string>]>,
): ReadonlyMap<string, Located> {
  return new Map(
    [...namesByCountry].flatMap(([code, names]) =>
      Array.from(names, (city) => [nameKey(city), { code, city }] as const),
    ),
  );
}

const cities = named(Object.entries(cityLines).map(([code, lines]) => [code, lines.split("\n")]));
const states = named(Object.keys(stateLines).map((country) => [country, statesOf(country).values()]));
