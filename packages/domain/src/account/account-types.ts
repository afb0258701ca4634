// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** The caller's account. */
export interface Account {
  /** Account identifier. */
  id: string;
  /** Email address of the account. */
  email: string;
  /** Display name. */
  display_name: string;
  /** Creation time: ISO 8601, UTC, with fractional seconds. */
  created_at: string;
}
