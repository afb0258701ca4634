import * as z from "zod";

/** The caller's account. */
export const accountSchema = z
  .object({
    id: z.guid().describe("Account identifier."),
    // The most permissive pattern, because readers must accept all addresses.
    email: z.email({ pattern: z.regexes.unicodeEmail }).describe("Email address of the account."),
    display_name: z.string().describe("Display name."),
    created_at: z.iso
      .datetime()
      .regex(/\.\d+Z$/, "must be UTC with fractional seconds")
      .describe("Creation time: ISO 8601, UTC, with fractional seconds."),
  })
  .meta({ id: "Account", description: "The caller's account." });
export type Account = z.output<typeof accountSchema>;
