import { toBalance, type Balance } from "@gpu-offers/domain";
import type { OfferSource } from "./offer-source.js";
import { OfferSourceError } from "./offer-source-error.js";

/** The funds for the runway. Undefined if the account can't be read, because the runway is optional. */
export async function balanceFor(source: OfferSource, budget: number | undefined): Promise<Balance | undefined> {
  if (budget !== undefined) {
    return toBalance(BigInt(Math.floor(budget * 10_000)));
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
