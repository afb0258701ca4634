// Generated from the schemas: `npx -y pnpm@12 exec vitest run --project domain schema-types -u`. The comments are the
// schemas' descriptions.

/** The caller's prepaid credit balance. */
export interface Balance {
  /** Current credit as a decimal string with exactly 4 decimal places. */
  balance: string;
  /** Always USD. */
  currency: "USD";
}
