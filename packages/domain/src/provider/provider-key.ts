import { providerNames } from "./providers.facts.js";

// Names of one provider in catalogs, in APIs and among people. Case, spaces, dots, hyphens and underscores are ignored, and
// so is "cloud" at the end. The keys are the names that the tables of instance types and regions use.
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(providerNames).flatMap(([key, names]) => names.split(" ").map((name) => [name, key] as const)),
);

/** Whether a text is another name of a provider. */
export function isProviderAlias(name: string): boolean {
  return ALIASES.has(name.toLowerCase().replaceAll(/[ ._-]/g, ""));
}

/** Other names of a provider by its key. */
export function providerAliases(key: string): string[] {
  return [...ALIASES].filter(([, known]) => known === key).map(([name]) => name);
}

/** One key for all names of a provider: `digitalocean` and `do`, `voltage-park` and `voltagepark`. */
export function providerKey(name: string): string {
  const letters = name.toLowerCase().replaceAll(/[ ._-]/g, "");
  const short = letters.length > "cloud".length ? letters.replace(/cloud$/, "") : letters;
  return ALIASES.get(letters) ?? ALIASES.get(short) ?? short;
}
