import { z } from "zod";

// Credit is counted in whole ten-thousandths of a dollar ("E4"), as bigint: sums are exact at any size.

/** The caller's prepaid credit: interface.md 2.6. */
export const balanceSchema = z
  .object({
    balance: z
      .string()
      .regex(/^-?(?:0|[1-9]\d*)\.\d{4}$/, "must be a decimal with exactly 4 places")
      .describe("Current credit as a decimal string with exactly 4 decimal places."),
    currency: z.literal("USD").describe("Always USD."),
  })
  .meta({ id: "Balance", description: "The caller's prepaid credit balance." });

/** See {@link balanceSchema}. */
export type Balance = z.infer<typeof balanceSchema>;

const AMOUNT = /^(-?)(0|[1-9]\d{0,14})(?:\.(\d{1,4}))?$/;

/**
 * An amount of dollars, written as a decimal with at most 4 places, in ten-thousandths.
 * `"25.00"` becomes `250000n`.
 * @throws RangeError that says what an amount looks like.
 */
export function parseAmount(text: string): bigint {
  const match = AMOUNT.exec(text);
  if (match === null) {
    throw new RangeError(`An amount is a decimal such as 25.00, with at most 4 places, not ${JSON.stringify(text)}.`);
  }
  const [, sign, whole = "", fraction = ""] = match;
  const amountE4 = BigInt(whole + fraction.padEnd(4, "0"));
  return sign === "-" ? -amountE4 : amountE4;
}

/** Ten-thousandths of a dollar as a decimal string with exactly 4 places: `250000n` becomes `"25.0000"`. */
export function formatAmount(amountE4: bigint): string {
  const digits = String(amountE4 < 0n ? -amountE4 : amountE4).padStart(5, "0");
  return `${amountE4 < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** A sum of ledger entries, in ten-thousandths of a dollar, as the interface's Balance. */
export function toBalance(amountE4: bigint): Balance {
  return { balance: formatAmount(amountE4), currency: "USD" };
}

/**
 * How many whole seconds a balance pays for an instance that costs `hourlyMicros` micro-dollars an
 * hour, rounded down. 0 when there is no credit, Infinity when the instance is free.
 */
export function runwaySeconds(balance: Balance, hourlyMicros: number): number {
  const balanceE4 = parseAmount(balance.balance);
  if (balanceE4 <= 0n) {
    return 0;
  }
  if (hourlyMicros === 0) {
    return Number.POSITIVE_INFINITY;
  }
  return Number((balanceE4 * 100n * 3600n) / BigInt(hourlyMicros));
}
