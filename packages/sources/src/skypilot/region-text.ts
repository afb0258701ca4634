/**
 * The region of an offer. A zone that repeats its region as whole words stands alone (`US-KS-2` of `US`,
 * `us-central1-a` of `us-central1`); any other goes behind the region (`us-east-1/use1-az4`).
 */
export function regionText(region: string, zone: string): string {
  if (zone === "") {
    return region;
  }
  const repeats = `-${zone}-`.toLowerCase().includes(`-${region}-`.toLowerCase());
  return repeats ? zone : `${region}/${zone}`;
}
