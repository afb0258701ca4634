import {
  isDiskFixed,
  matchesImage,
  recheck,
  toBalance,
  type Balance,
  type Offer,
  type OsImage,
  type WantedImage,
} from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { SourceProblem } from "../catalog/source-problem.js";
import { nothingMatches, readMatches } from "../catalog/matches.js";
import { EXIT, Failure } from "../output/exit.js";
import { paidDiskGb } from "../output/offer-cost.js";
import { composeResult, type PickResult } from "../output/result.js";
import { hasImageChoice } from "../picker/choice.js";
import type { Query } from "../query/query.js";

/** What a choice is made with beside the offer. */
export interface ChoiceOptions {
  /** Disk that is needed, GB. */
  diskGb?: number | undefined;
  image?: WantedImage | undefined;
  /** Amount in USD for the runway; without it the account's credit is taken, where there is one. */
  budget?: number | undefined;
}

/**
 * The best match: what the picker prints for the same choice.
 * @throws Failure when nothing matches, when the image is unknown, and when the offer has changed meanwhile.
 */
export async function pickFirst(
  source: OfferSource,
  asked: Query,
  options: ChoiceOptions & { isWatch?: boolean },
): Promise<PickResult> {
  const query = { ...asked, filter: { ...asked.filter, available: true } };
  const matches = await readMatches(source, query, 1);
  const [best] = matches.offers;
  if (best === undefined) {
    throw await nothingMatches(source, query, options.isWatch === true ? matches.seen : undefined);
  }
  return pickOffer(source, best, { ...options, diskGb: query.filter.diskGb });
}

/**
 * The offer of an id.
 * @throws Failure when it is gone or cannot be rented, and as {@link pickFirst}.
 */
export async function pickById(source: OfferSource, id: string, options: ChoiceOptions): Promise<PickResult> {
  return pickOffer(source, await getOffer(source, id), options);
}

/** @throws Failure when there is no such offer. */
export async function getOffer(source: OfferSource, id: string): Promise<Offer> {
  const offer = await source.findOffer(id);
  if (offer === undefined) {
    throw new Failure(EXIT.changed, `no offer has the id ${JSON.stringify(id)}; gpu-offers --list shows ids.`);
  }
  return offer;
}

async function pickOffer(source: OfferSource, listed: Offer, options: ChoiceOptions): Promise<PickResult> {
  const diskGb = paidDiskGb(listed, options.diskGb);
  const provider = listed.provider.name;
  const [images = [], { pricesAsOf }, balance] = await Promise.all([
    source.findImages(provider),
    source.readAge(),
    balanceFor(source, options.budget),
  ]);
  const osImageId = imageIdOf(options.image, images, provider);
  const offer = await confirmed(source, listed, diskGb);
  const composed = composeResult({
    offer,
    images,
    osImageId,
    diskGb: isDiskFixed(offer) ? undefined : diskGb,
    asOf: new Date().toISOString(),
    pricesAsOf: pricesAsOf.get(provider),
    balance,
  });
  if (!composed.ok) {
    throw new Failure(EXIT.usage, composed.problems.map(({ reason }) => reason).join(" "));
  }
  return composed.result;
}

/** The first image that is wanted. The only image need not be named: the picker does not ask for it either. */
function imageIdOf(wanted: WantedImage | undefined, images: readonly OsImage[], provider: string): string | undefined {
  if (wanted === undefined) {
    return undefined;
  }
  const image = images.find((candidate) => matchesImage(candidate, wanted));
  if (image === undefined) {
    const names = images.map(({ id }) => id).join(", ");
    throw new Failure(EXIT.usage, `${provider} has no such image; it has ${names === "" ? "none" : names}.`);
  }
  return hasImageChoice(images) ? image.id : undefined;
}

/** The offer as the server has it now. */
async function confirmed(source: OfferSource, listed: Offer, diskGb: number): Promise<Offer> {
  const outcome = recheck({ offer: listed, diskGb }, { offer: await source.findOffer(listed.id), images: [] });
  switch (outcome.kind) {
    case "gone":
      throw new Failure(EXIT.changed, `offer ${listed.id} is gone; list again.`);
    case "unavailable":
      throw new Failure(EXIT.changed, `offer ${listed.id} is gone: it cannot be rented now; list again.`);
    case "repriced":
      throw new Failure(EXIT.changed, `offer ${listed.id} has another price since it was listed; list again.`);
    case "imageGone":
    case "ok":
      return outcome.offer;
  }
}

/** What the runway is reckoned with. An account that cannot be read leaves it out: the choice does not depend on it. */
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
    if (error instanceof SourceProblem) {
      return undefined;
    }
    throw error;
  }
}
