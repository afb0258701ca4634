import {
  failedFilters,
  isDiskFixed,
  isDiskUnknown,
  matchesImage,
  pricedDisk,
  recheck,
  type ListedOffer,
  type Offer,
  type OsImage,
  type WantedImage,
  paidDisk,
} from "@gpu-offers/domain";
import { countText, EMPTY_QUERY, type Query } from "@gpu-offers/list";
import { balanceFor } from "../catalog/balance-for.js";
import { findAgain } from "../catalog/find-again.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { nothingMatches, readMatches, reportReading } from "../catalog/matches.js";
import { EXIT, Failure } from "../output/exit-codes.js";
import { flagsOfFilter } from "../output/filter-flags.js";
import { composeResult, type PickResult } from "../output/result.js";
import { hasImageChoice } from "../picker/choice.js";

/** Options of a choice besides the offer. */
interface ChoiceOptions {
  /** Required disk in GB. */
  diskGb?: number | undefined;
  image?: WantedImage | undefined;
  /** Amount in USD for the runway; by default the account's credit, if there is an account. */
  budget?: number | undefined;
  /** Called with how words were read, and with what is taken otherwise than required. */
  notify: (text: string) => void;
}

/**
 * Prints the best match, as the picker does for the same choice.
 * @throws Failure if nothing matches, the image is unknown, or the offer has changed meanwhile.
 */
export async function pickFirst(
  source: OfferSource,
  requested: Query,
  options: ChoiceOptions & { isWatch: boolean },
): Promise<PickResult> {
  const query = { ...requested, filter: { ...requested.filter, available: true } };
  const matches = await readMatches(source, query, { limit: 1 });
  const [best] = matches.offers;
  if (best === undefined) {
    throw await nothingMatches(source, matches, options.isWatch);
  }
  reportReading(matches, options.notify);
  return pickOffer(source, best, { ...options, diskGb: query.filter.diskGb });
}

/**
 * Prints the offer with an id.
 * @throws Failure if it is gone, unavailable or excluded by a filter, and like {@link pickFirst}.
 */
export async function pickById(
  source: OfferSource,
  id: string,
  { filter }: Query,
  options: ChoiceOptions,
): Promise<PickResult> {
  const offer = await getOffer(source, id);
  checkDiskSize(offer, options.diskGb);
  // Images and availability have their own error messages.
  const { image: _, available: __, ...others } = filter;
  const failed = failedFilters(offer, others);
  if (failed.length > 0) {
    throw new Failure(EXIT.nothing, `offer ${id} does not match ${failed.map(flagsOfFilter).join(", ")}.`);
  }
  return pickOffer(source, offer, options);
}

/** @throws Failure if the offer doesn't support a disk of that size. Lists omit such offers, but an id can select one. */
export function checkDiskSize(offer: Offer, diskGb: number | undefined): void {
  if (diskGb === undefined || pricedDisk(offer, diskGb) !== undefined) {
    return;
  }
  const { id, storageMaxGB } = offer;
  const limit = storageMaxGB === 0 ? "has no disk" : `supports disks of up to ${countText(storageMaxGB)} GB`;
  throw new Failure(EXIT.usage, `offer ${id} ${limit}, not ${countText(diskGb)} GB.`);
}

/** Says if the required disk can't be chosen, because the offer's disk options are unknown. */
export function noteUnknownDisk(offer: Offer, diskGb: number | undefined, notify: (text: string) => void): void {
  if (diskGb !== undefined && isDiskUnknown(offer)) {
    const size = `${countText(diskGb)} GB`;
    notify(`the disk options of offer ${offer.id} are unknown: ${size} can't be chosen, and its price is a minimum.`);
  }
}

/** Number of characters from which an id may be shortened to what is unique. */
const SHORTEST_ID = 8;

/** @throws Failure if there is no such offer, or if several ids begin like that. */
export async function getOffer(source: OfferSource, id: string): Promise<ListedOffer> {
  const offer = (await source.findOffer(id)) ?? (await findByStart(source, id));
  if (offer === undefined) {
    throw new Failure(EXIT.changed, `no offer has the id ${JSON.stringify(id)}. To list ids, run gpu-offers --list.`);
  }
  return offer;
}

async function findByStart(source: OfferSource, start: string): Promise<ListedOffer | undefined> {
  if (start.length < SHORTEST_ID || !/^[\da-f-]{8,35}$/i.test(start)) {
    return undefined;
  }
  const { seen } = await readMatches(source, EMPTY_QUERY);
  const found = seen.filter(({ id }) => id.startsWith(start.toLowerCase()));
  if (found.length > 1) {
    const ids = found.slice(0, 3).map(({ id }) => id);
    throw new Failure(EXIT.usage, `${found.length} ids begin with ${start}: ${ids.join(", ")}. Write more of it.`);
  }
  return found[0];
}

async function pickOffer(source: OfferSource, listed: ListedOffer, options: ChoiceOptions): Promise<PickResult> {
  noteUnknownDisk(listed, options.diskGb, options.notify);
  const diskGb = paidDisk(listed, options.diskGb);
  const provider = listed.provider.name;
  const [images = [], { pricesAsOf }, balance] = await Promise.all([
    source.findImages(provider, { instanceType: listed.listing?.instanceType }),
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

/** The first matching image. A provider's only image needn't be named: the picker skips that step, too. */
function imageIdOf(wanted: WantedImage | undefined, images: readonly OsImage[], provider: string): string | undefined {
  if (wanted === undefined) {
    return undefined;
  }
  const image = images.find((candidate) => matchesImage(candidate, wanted));
  if (image === undefined) {
    const names = images.map(({ id }) => id).join(", ");
    throw new Failure(EXIT.usage, `${provider} has no such image. Its images: ${names === "" ? "none" : names}.`);
  }
  return hasImageChoice(images) ? image.id : undefined;
}

/** The current offer of the server. */
async function confirmed(source: OfferSource, listed: ListedOffer, diskGb: number): Promise<ListedOffer> {
  const outcome = recheck({ offer: listed, diskGb }, { offer: await findAgain(source, listed), images: [] });
  switch (outcome.kind) {
    case "gone":
      throw new Failure(EXIT.changed, `offer ${listed.id} is gone. List offers again.`);
    case "unavailable":
      throw new Failure(EXIT.changed, `offer ${listed.id} is no longer available. List offers again.`);
    case "repriced":
      throw new Failure(
        EXIT.changed,
        `the price of offer ${listed.id} has changed since it was listed. List offers again.`,
      );
    case "imageGone":
    case "ok":
      return outcome.offer;
  }
}
