import type { Balance } from "./balance-schema.js";

// Credit is a bigint in ten-thousandths of a dollar ("E4"), so that sums are exact at any size.

const AMOUNT = /^(-?)(0|[1-9]\d*)(?:\.(\d{1,4}))?$/;

/** The maximum amount of {@link parseAmount}, in ten-thousandths of a dollar: what fits in 64 bits. */
export const MAX_AMOUNT_E4 = 9_223_372_036_854_775_807n;

/**
 * Parses an amount in dollars with up to 4 decimals to ten-thousandths: `"25.00"` is `250000n`.
 * @throws RangeError if it is invalid, or beyond ±{@link MAX_AMOUNT_E4}.
 */
export function parseAmount(text: string): bigint {
  const amountE4 = readAmount(text);
  if (amountE4 > MAX_AMOUNT_E4 || amountE4 < -MAX_AMOUNT_E4) {
    throw new RangeError(`The amount must be at most ${formatAmount(MAX_AMOUNT_E4)}, not ${text}.`);
  }
  return amountE4;
}

function readAmount(text: string): bigint {
  const match = AMOUNT.exec(text);
  if (match === null) {
    throw new RangeError(
      `The amount must be a decimal such as 25.00, with up to 4 places, not ${JSON.stringify(text)}.`,
    );
  }
  const [, sign, whole = "", fraction = ""] = match;
  const amountE4 = BigInt(whole + fraction.padEnd(4, "0"));
  return sign === "-" ? -amountE4 : amountE4;
}

/** Formats ten-thousandths of a dollar with exactly 4 decimals: `250000n` is `"25.0000"`. */
export function formatAmount(amountE4: bigint): string {
  const digits = String(amountE4 < 0n ? -amountE4 : amountE4).padStart(5, "0");
  return `${amountE4 < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

/** A sum of ledger entries, in ten-thousandths of a dollar, as the API's Balance. */
export function toBalance(amountE4: bigint): Balance {
  return { balance: formatAmount(amountE4), currency: "USD" };
}

/**
 * Whole seconds that a balance lasts for an instance at `hourlyMicros` micro-dollars per hour, rounded down. 0 without
 * credit, Infinity if the instance is free.
 * @throws RangeError if the balance isn't a decimal, or the cost isn't a non-negative integer.
 */
export function runwaySeconds(balance: Balance, hourlyMicros: number): number {
  if (!Number.isInteger(hourlyMicros) || hourlyMicros < 0) {
    throw new RangeError(`An hourly cost must be a whole number of micro-dollars, not ${hourlyMicros}.`);
  }
  // No upper bound: every balance of the service has a runway.
  const balanceE4 = readAmount(balance.balance);
  if (balanceE4 <= 0n) {
    return 0;
  }
  if (hourlyMicros === 0) {
    return Number.POSITIVE_INFINITY;
  }
  return Number((balanceE4 * 100n * 3600n) / BigInt(hourlyMicros));
}
