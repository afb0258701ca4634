import { atPrice, toBalance, toMicros, type Balance, type ListedOffer, type OsImage } from "@gpu-offers/domain";
import { OfferSourceError } from "./offer-source-error.js";
import type { OfferSource } from "./offer-source.js";

// What callers read of any source, in several requests or with a rule of their own.

export async function readOffers(source: OfferSource): Promise<readonly ListedOffer[]> {
  let offers: ListedOffer[] = [];
  for await (const part of source.list()) {
    offers = part.kind === "restart" ? [] : offers.concat(part.offers);
  }
  return offers;
}

/** The chosen offer as it is now, at the kind of price that it was chosen at; undefined if it is gone. */
export async function findAgain(
  source: OfferSource,
  { id, spotTerms }: ListedOffer,
  signal?: AbortSignal,
): Promise<ListedOffer | undefined> {
  const offer = await source.findOffer(id, signal);
  return offer && atPrice(offer, spotTerms && "bid");
}

export async function providerNames(source: OfferSource): Promise<string[]> {
  return (await source.listProviders()).map(({ name }) => name);
}

/** Maximum number of image lists read concurrently. */
const CONCURRENCY = 4;

/** The images of all providers of a source, by their names. */
export async function readAllImages(source: OfferSource): Promise<ReadonlyMap<string, readonly OsImage[]>> {
  const names = await providerNames(source);
  const found = new Map<string, readonly OsImage[]>(names.map((name) => [name, []]));
  await inParallel(names, CONCURRENCY, async (name) => {
    found.set(name, (await source.findImages(name)) ?? []);
  });
  return found;
}

/** Works on all items, at most `count` at the same time. */
export async function inParallel<Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const workOn = async (): Promise<void> => {
    for (const item of waiting) {
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: count }, workOn));
}

/** A budget in USD as a balance, rounded down to its four decimals. */
export function budgetBalance(usd: number): Balance {
  return toBalance(BigInt(Math.floor(toMicros(usd) / 100)));
}

/** The funds for the runway: the budget, or else the account's balance. Undefined if the account can't be read, because the runway is optional. */
export async function balanceFor(source: OfferSource, budget: number | undefined): Promise<Balance | undefined> {
  if (budget !== undefined || !source.hasAccount) {
    return budget === undefined ? undefined : budgetBalance(budget);
  }
  return unlessFailed(source.getBalance());
}

/** The value; undefined if the source failed. @throws any other error. */
export async function unlessFailed<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof OfferSourceError) {
      return undefined;
    }
    throw error;
  }
}
