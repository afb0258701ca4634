// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** A provider of GPU instances. */
export interface Provider {
  /** Value to pass as provider when creating a deployment, and path segment of the images endpoint. */
  name: string;
  /** vm, container or bare-metal. More values may be added. */
  type: string;
}

/** All providers, sorted by name. */
export interface ProviderList {
  /** All providers, sorted by name. */
  data: Provider[];
}
