// Alternative names of providers in catalogs and APIs, by the name in our tables. Case, spaces, dots, hyphens and
// underscores are ignored, and so is "cloud" at the end.
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["akamai", "linode"],
  ["amazon", "aws"],
  ["amazonec2", "aws"],
  ["amazonwebservices", "aws"],
  ["cudocompute", "cudo"],
  ["datacrunch", "verda"],
  ["digitalocean", "do"],
  ["ec2", "aws"],
  ["gce", "gcp"],
  ["google", "gcp"],
  ["googlecompute", "gcp"],
  ["lambdalabs", "lambda"],
  ["latitudesh", "latitude"],
  ["microsoft", "azure"],
  ["microsoftazure", "azure"],
  ["nebiusai", "nebius"],
  ["nexgen", "hyperstack"],
  ["oracle", "oci"],
  ["prime", "primeintellect"],
  ["scw", "scaleway"],
  ["vastai", "vast"],
]);

/** The name of a provider in our tables: `digitalocean` and `do` are the same. An unknown name keeps its letters. */
export function tableName(provider: string): string {
  const letters = provider.toLowerCase().replaceAll(/[ ._-]/g, "");
  const short = letters.length > "cloud".length ? letters.replace(/cloud$/, "") : letters;
  return ALIASES.get(letters) ?? ALIASES.get(short) ?? short;
}
