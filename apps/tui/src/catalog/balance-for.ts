import { toBalance, toMicros, type Balance } from "@gpu-offers/domain";
import type { OfferSource } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";

/** A budget in USD as a balance, rounded down to its four decimals. */
export function budgetBalance(usd: number): Balance {
  return toBalance(BigInt(Math.floor(toMicros(usd) / 100)));
}

/** The funds for the runway: the budget, or else the account's balance. Undefined if the account can't be read, because the runway is optional. */
export async function balanceFor(source: OfferSource, budget: number | undefined): Promise<Balance | undefined> {
  if (budget !== undefined) {
    return budgetBalance(budget);
  }
  if (!source.hasAccount) {
    return undefined;
  }
  try {
    return await source.getBalance();
  } catch (error) {
    if (error instanceof OfferSourceError) {
      return undefined;
    }
    throw error;
  }
}
