/**
 * The region of an offer. A zone that contains its region as whole words is used alone (`US-KS-2` of `US`,
 * `us-central1-a` of `us-central1`); any other follows the region (`us-east-1/use1-az4`). A row
 * without either is of the region `unknown`.
 */
export function regionText(region: string, zone: string): string {
  if (region === "" || zone === "") {
    return region || zone || "unknown";
  }
  const repeats = `-${zone}-`.toLowerCase().includes(`-${region}-`.toLowerCase());
  return repeats ? zone : `${region}/${zone}`;
}

/** What catalogs write for an unknown location. */
const NO_PLACES: ReadonlySet<string> = new Set(["default", "earth", "global", "unknown", "world", "worldwide"]);

/** Whether the region of an offer is known. A type cannot be available in an unnamed region. */
export function namesPlace(region: string): boolean {
  return !NO_PLACES.has(region.toLowerCase());
}
