import { isSample, sampleText, type LeftOut, type ListedOffer } from "@gpu-offers/domain";
import { ageRangeOf, ageRangeText, countOf, sampleLine } from "@gpu-offers/list";
import { EXIT, Failure } from "../exit-codes.js";
import type { OfferSource, RejectedRow } from "./offer-source.js";
import { FLAG_WORDS } from "./query-words.js";

// What people should know of the offers of a source: sample prices, which a script doesn't act on unawares, those fetched
// before, what is left out, and rejected rows.

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

/**
 * Says how many rows of a catalog file were rejected, and which command lists the reasons.
 * @param sourceOptions The options that name the file.
 */
export function rejectedText(rejected: readonly RejectedRow[], sourceOptions: string): string {
  const { length } = rejected;
  const rows = `${countOf(length, "row")} ${length === 1 ? "was" : "were"} rejected`;
  return `${rows}. For the reasons, run gpu-offers rejected ${sourceOptions}.`;
}

/** Says what defaults leave out, and which flags include it. */
export function leftOutTexts(all: readonly LeftOut[]): string[] {
  return all.map(
    ({ name, count, words, off }) =>
      `${countOf(count, "offer")} ${words} left out. ${FLAG_WORDS.assign(name, off)} includes them.`,
  );
}

/** What people should know of the offers that were read: what is left out, rejected rows of a catalog file. */
export async function sourceNotes(source: OfferSource, left: readonly LeftOut[]): Promise<string[]> {
  const rejected = await source.listRejected();
  return [...leftOutTexts(left), ...(rejected.length === 0 ? [] : [rejectedText(rejected, source.options)])];
}
