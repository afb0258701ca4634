// Names of one provider in catalogs, in APIs and among people. Case, spaces, dots, hyphens and underscores are ignored, and
// so is "cloud" at the end. The keys are the names that the tables of instance types and regions use.
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

/** One key for all names of a provider: `digitalocean` and `do`, `voltage-park` and `voltagepark`. */
export function providerKey(name: string): string {
  const letters = name.toLowerCase().replaceAll(/[ ._-]/g, "");
  const short = letters.length > "cloud".length ? letters.replace(/cloud$/, "") : letters;
  return ALIASES.get(letters) ?? ALIASES.get(short) ?? short;
}
