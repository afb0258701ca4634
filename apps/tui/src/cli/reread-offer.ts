import {
  availabilityOfOffer,
  availabilityWords,
  hourlyCost,
  isSoldOut,
  paidDisk,
  recheck,
  type ListedOffer,
} from "@gpu-offers/domain";
import { ageSince, printable } from "@gpu-offers/list";
import { findAgain } from "../catalog/find-again.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { EXIT, Failure } from "../exit-codes.js";

/**
 * The offer after its provider's prices and stock were read again; a service reads them itself, and states their age.
 * What changed is said by `notify`.
 * @throws Failure if they can't be read, or if the offer is gone or sold out.
 */
export async function rereadOffer(
  source: OfferSource,
  before: ListedOffer,
  { diskGb, notify }: { diskGb?: number | undefined; notify: (text: string) => void },
): Promise<ListedOffer> {
  const provider = before.provider.name;
  if (source.live === undefined) {
    const { pricesAsOf, staleProviders } = await source.readAge();
    if (staleProviders.includes(provider)) {
      throw new Failure(EXIT.changed, `${source.place} hasn't confirmed the offers of ${provider} for too long.`);
    }
    const age = ageSince(pricesAsOf.get(provider) ?? "", Date.now()) ?? "unknown";
    notify(`${source.place} reads the prices of ${provider} itself. Their age is ${age}.`);
    return before;
  }
  const progress = await source.live.refetch(provider);
  if (progress.kind === "failed") {
    throw new Failure(EXIT.server, `the prices of ${provider} could not be read again: ${progress.reason}.`);
  }
  const outcome = recheck({ offer: before, diskGb }, { offer: await findAgain(source, before), images: [] });
  if (outcome.kind === "gone") {
    throw new Failure(EXIT.changed, `offer ${before.id} is gone. List offers again.`);
  }
  const { offer }: { offer: ListedOffer } = outcome;
  if (isSoldOut(offer)) {
    throw new Failure(EXIT.changed, `offer ${offer.id} is sold out.`);
  }
  const changes = [
    changed("the price", ...both(before, offer, (one) => `${hourlyCost(one, diskGb ?? paidDisk(one))} USD an hour`)),
    changed("the stock", ...both(before, offer, stockText)),
  ].filter((text) => text !== undefined);
  notify(changes.length === 0 ? "the price and the stock are unchanged." : changes.join(" "));
  return offer;
}

/** `in stock (High)` */
function stockText(offer: ListedOffer): string {
  const level = offer.listing?.stockLevel ?? null;
  return `${availabilityWords(availabilityOfOffer(offer))}${level === null ? "" : ` (${printable(level)})`}`;
}

function both(before: ListedOffer, now: ListedOffer, textOf: (offer: ListedOffer) => string): [string, string] {
  return [textOf(before), textOf(now)];
}

function changed(what: string, before: string, now: string): string | undefined {
  return before === now ? undefined : `${what} has changed from ${before} to ${now}.`;
}
