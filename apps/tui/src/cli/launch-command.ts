import {
  atPrice,
  availabilityOfOffer,
  availabilityWords,
  hourlyCost,
  isSoldOut,
  paidDisk,
  recheck,
  type ListedOffer,
} from "@gpu-offers/domain";
import { alikeQuery, launchPlan, planOfTop } from "@gpu-offers/domain/launching";
import { ageSince, gpuText, printable } from "@gpu-offers/list";
import { listingOf } from "../catalog/listing-catalog.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { findAgain } from "../catalog/read-source.js";
import { checkSold } from "../catalog/source-notes.js";
import { EXIT, Failure } from "../exit-codes.js";
import { launchTextOf } from "../output/result.js";
import { checkDiskSize, getOffer, noteUnknownDisk } from "./first-command.js";
import type { Printer } from "./source-choice.js";

/**
 * `launch <id>`: files and commands that rent an offer, ready to paste.
 * @throws Failure if the offer doesn't exist or can't be rented so, or if it isn't known what to ask its provider for.
 */
export async function launchText({ source, flags, notify }: Printer, [id = ""]: readonly string[]): Promise<string> {
  const { disk: diskGb, fits, as: kind, ceiling: ceilingPercent, nodes, top = 1 } = flags;
  const isSpot = flags.spot !== undefined && flags.spot !== "false";
  const listed = atPrice(await getOffer(source, id), isSpot ? "bid" : undefined);
  await checkSold(source, listed, flags.sample === true);
  const offer = flags.check === true ? await rereadOffer(source, listed, diskGb, notify) : listed;
  checkDiskSize(offer, diskGb);
  noteUnknownDisk(offer, diskGb, notify);
  const listing = listingOf(offer);
  const images = (await source.findImages(offer.provider.name, { instanceType: listing.instanceType })) ?? [];
  const { pricesAsOf } = await source.readAge();
  const choice = { diskGb, fits, isSpot, ceilingPercent, nodes, pricesAsOf: pricesAsOf.get(offer.provider.name) };
  const single = launchPlan(listing, images, choice);
  const alike = top === 1 ? [] : (await source.find(alikeQuery({ offer }, choice))).offers;
  const plan = top === 1 ? single : planOfTop(single, alike.map(listingOf), top, choice);
  const { problems, launch: all, missing, notes } = plan;
  if (problems.length > 0) {
    const [status] = problems.map(({ field }) =>
      field === "offer" ? EXIT.changed : field === "fits" ? EXIT.usage : EXIT.nothing,
    );
    throw new Failure(status ?? EXIT.nothing, problems.map(({ reason }) => reason).join(" "));
  }
  const isWanted = (tool: string): boolean => kind === undefined || tool === kind;
  const texts = all.filter((text) => isWanted(text.kind));
  const reasons = missing.filter(({ tool }) => isWanted(tool)).map(({ reason }) => printable(reason));
  if (texts.length === 0) {
    const what = `${gpuText(offer)} of ${offer.provider.name}`;
    throw new Failure(EXIT.nothing, `there is no launch text for ${what}. ${reasons.join(" ")}`);
  }
  [...notes, ...reasons].forEach(notify);
  return texts.map(launchTextOf).join("\n");
}

/**
 * The offer after its provider's prices and stock were read again; a service reads them itself, and states their age.
 * What changed is said by `notify`.
 * @throws Failure if they can't be read, or if the offer is gone or sold out.
 */
async function rereadOffer(
  source: OfferSource,
  before: ListedOffer,
  diskGb: number | undefined,
  notify: Printer["notify"],
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
  const changed = (what: string, textOf: (one: ListedOffer) => string): string[] =>
    textOf(before) === textOf(offer) ? [] : [`${what} has changed from ${textOf(before)} to ${textOf(offer)}.`];
  const changes = [
    ...changed("the price", (one) => `${hourlyCost(one, diskGb ?? paidDisk(one))} USD an hour`),
    ...changed("the stock", stockText),
  ];
  notify(changes.length === 0 ? "the price and the stock are unchanged." : changes.join(" "));
  return offer;
}

/** `in stock (High)` */
function stockText(offer: ListedOffer): string {
  const level = offer.listing?.stockLevel ?? null;
  return `${availabilityWords(availabilityOfOffer(offer))}${level === null ? "" : ` (${printable(level)})`}`;
}
