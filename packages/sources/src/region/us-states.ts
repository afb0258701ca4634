import { stateLines } from "./places.facts.js";

const statesOf = (country: string): ReadonlyMap<string, string> =>
  new Map(stateLines[country]?.split("\n").map((line) => [line.slice(0, 2), line.slice(3)] as const));

/** US states by postal code, including the District of Columbia. */
export const US_STATES = statesOf("US");

/** Canadian provinces and territories by postal code. */
export const CANADIAN_PROVINCES = statesOf("CA");

/** Country and full name of the state or province that a text names in English; case is ignored. */
export function findState(text: string): readonly [countryCode: string, name: string] | undefined {
  return statesByName.get(nameKey(text));
}

const nameKey = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

const statesByName: ReadonlyMap<string, readonly [string, string]> = new Map(
  Object.keys(stateLines).flatMap((country) =>
    [...statesOf(country).values()].map((name) => [nameKey(name), [country, name]] as const),
  ),
);
