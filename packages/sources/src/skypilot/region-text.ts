/**
 * The region of an offer. A zone that repeats its region as whole words stands alone (`US-KS-2` of `US`,
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

/** What catalogs write where they know no place. */
const NO_PLACES: ReadonlySet<string> = new Set(["default", "global", "unknown"]);

/** Whether the region of an offer says where it is. A type cannot be available in a place that is not named. */
export function namesPlace(region: string): boolean {
  return !NO_PLACES.has(region.toLowerCase());
}
