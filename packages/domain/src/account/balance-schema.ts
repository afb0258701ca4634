import * as z from "zod";

/** The caller's prepaid credit. */
export const balanceSchema = z
  .object({
    balance: z
      .string()
      .regex(/^-?(?:0|[1-9]\d*)\.\d{4}$/, "must be a decimal with exactly 4 places")
      .describe("Current credit as a decimal string with exactly 4 decimal places."),
    currency: z.literal("USD").describe("Always USD."),
  })
  .meta({ id: "Balance", description: "The caller's prepaid credit balance." });
export type Balance = z.output<typeof balanceSchema>;
