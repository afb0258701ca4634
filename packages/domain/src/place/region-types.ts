// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** Location of an offer. */
export interface RegionInfo {
  /** ISO 3166-1 alpha-2 code, or ZZ if the region is unknown. */
  countryCode: string;
  /** English name of the country, or Unknown. */
  countryName: string;
  /** City or state, as named by the provider; may be empty. */
  cityState: string;
  /** One of the seven continents, or Unknown. */
  continent: string;
}
