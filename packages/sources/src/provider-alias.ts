// Names under which one provider appears in catalogs, by the name that our tables use.
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["cudocompute", "cudo"],
  ["datacrunch", "verda"],
  ["digitalocean", "do"],
  ["google", "gcp"],
  ["lambda-labs", "lambda"],
  ["lambdalabs", "lambda"],
  ["oracle", "oci"],
  ["ovhcloud", "ovh"],
  ["vast.ai", "vast"],
  ["vastai", "vast"],
]);

/** The name of a provider in our own tables: `digitalocean` and `do` are one. Unknown names stay as they are. */
export function tableName(provider: string): string {
  return ALIASES.get(provider) ?? provider;
}
