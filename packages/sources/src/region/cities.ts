import { cityLines } from "./places.facts.js";
import type { Located } from "./region-table.js";

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

const nameKey = (text: string) =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");

const cities: ReadonlyMap<string, Located> = new Map(
  Object.entries(cityLines).flatMap(([code, lines]) =>
    lines.split("\n").map((city) => [nameKey(city), { code, city }] as const),
  ),
);
