import { states } from "./places.facts.js";

/** US states by postal code, including the District of Columbia. */
export const US_STATES: ReadonlyMap<string, string> = states.get("US") ?? new Map();

/** Canadian provinces and territories by postal code. */
export const CANADIAN_PROVINCES: ReadonlyMap<string, string> = states.get("CA") ?? new Map();

/** Country and full name of the state or province that a text names in English; case is ignored. */
export function findState(text: string): readonly [countryCode: string, name: string] | undefined {
  return statesByName.get(nameKey(text));
}

const nameKey = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

const statesByName: ReadonlyMap<string, readonly [string, string]> = new Map(
  [...states].flatMap(([country, names]) =>
    [...names.values()].map((name) => [nameKey(name), [country, name]] as const),
  ),
);
