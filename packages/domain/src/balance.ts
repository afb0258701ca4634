import type { Balance } from "./balance-schema.js";

// Credit is counted in whole ten-thousandths of a dollar ("E4"), as bigint: sums are exact at any size.

const AMOUNT = /^(-?)(0|[1-9]\d*)(?:\.(\d{1,4}))?$/;

/** The largest amount that {@link parseAmount} takes, in ten-thousandths of a dollar: what 64 bits hold. */
export const MAX_AMOUNT_E4 = 9_223_372_036_854_775_807n;

/**
 * An amount of dollars, written as a decimal with at most 4 places, in ten-thousandths.
 * `"25.00"` becomes `250000n`.
 * @throws RangeError that says what an amount looks like, also for one beyond {@link MAX_AMOUNT_E4} either way.
 */
export function parseAmount(text: string): bigint {
  const amountE4 = readAmount(text);
  if (amountE4 > MAX_AMOUNT_E4 || amountE4 < -MAX_AMOUNT_E4) {
    throw new RangeError(`An amount is at most ${formatAmount(MAX_AMOUNT_E4)}, not ${text}.`);
  }
  return amountE4;
}

function readAmount(text: string): bigint {
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
 * @throws RangeError when the balance is no decimal, or the cost no whole number from 0.
 */
export function runwaySeconds(balance: Balance, hourlyMicros: number): number {
  if (!Number.isSafeInteger(hourlyMicros) || hourlyMicros < 0) {
    throw new RangeError(`An hourly cost must be a whole number of micro-dollars, not ${hourlyMicros}.`);
  }
  // No upper bound here: whatever balance the service states has a runway.
  const balanceE4 = readAmount(balance.balance);
  if (balanceE4 <= 0n) {
    return 0;
  }
  if (hourlyMicros === 0) {
    return Number.POSITIVE_INFINITY;
  }
  return Number((balanceE4 * 100n * 3600n) / BigInt(hourlyMicros));
}
