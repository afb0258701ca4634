import { isSample, sampleText, type ListedOffer } from "@gpu-offers/domain";
import { ageRangeOf, ageRangeText, sampleLine } from "@gpu-offers/list";
import { EXIT, Failure } from "../exit-codes.js";
import type { OfferSource } from "./offer-source.js";

// What people should know of the age of offers: sample prices, which a script doesn't act on unawares, and those fetched
// before.

/** @throws Failure if an offer is of the sample, unless a script may use it. */
export async function checkSold(source: OfferSource, offer: ListedOffer, isAllowed: boolean): Promise<void> {
  if (isSample(offer) && !isAllowed) {
    throw await onlySample(source, [offer], `the price of offer ${offer.id} is one of the`);
  }
}

/** The failure of a script for which there are only sample prices. */
export async function onlySample(
  source: OfferSource,
  [offer]: readonly ListedOffer[],
  what = "all matches are",
): Promise<Failure> {
  const { pricesAsOf } = await source.readAge();
  const text = sampleText(pricesAsOf.get(offer?.provider.name ?? ""));
  return new Failure(EXIT.sample, `${what} ${text}. --live fetches current prices; --sample uses these anyway.`);
}

/** Whether a source has an offer that isn't of the sample. */
export async function hasSold(source: OfferSource): Promise<boolean> {
  for await (const part of source.list()) {
    if (part.kind === "page" && !part.offers.every(isSample)) {
      return true;
    }
  }
  return false;
}

/** The line above some offers; undefined if there is nothing to say. @param isLive Whether prices were just fetched. */
export async function priceNote(
  source: OfferSource,
  offers: readonly ListedOffer[],
  isLive: boolean,
): Promise<string | undefined> {
  const age = await source.readAge();
  const line = sampleLine(offers, age);
  if (source.live === undefined || isLive) {
    return line;
  }
  const text = line ?? `${ageRangeText(ageRangeOf(offers, age), Date.now())}, fetched before`;
  return `${text}. --live fetches current prices.`;
}
