import {
  atPrice,
  conditionsOf,
  diskFor,
  isDiskUnknown,
  isSample,
  matchesImage,
  paidDisk,
  present,
  storageOf,
  recheck,
  type ListedOffer,
  type ListingParameterName,
  type ListingQuery,
  type Offer,
  type OsImage,
  type WantedImage,
  onOffer,
} from "@gpu-offers/domain";
import { askedDisk, launchDisk } from "@gpu-offers/domain/launching";
import { countText } from "@gpu-offers/list";
import { balanceFor, findAgain } from "../catalog/read-source.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { checkSold, hasSold, onlySample } from "../catalog/source-notes.js";
import { listingCatalogOf, listingOf } from "../catalog/listing-catalog.js";
import { flagOf, nothingMatches, readingsOf, wordsOf } from "../catalog/query-words.js";
import { EXIT, Failure } from "../exit-codes.js";
import { composeResult, type PickResult } from "../output/result.js";
import { hasImageChoice } from "../picker/choice.js";
import { wantedImage } from "./resolve-query.js";

export interface ScriptTerms {
  /** Whether sample prices will do. */
  isSampleAllowed: boolean;
  /** Whether it is tried again until it succeeds. */
  isWatch: boolean;
  /** Called with how words were read, and with what is taken otherwise than required. */
  notify: (text: string) => void;
}

/**
 * The first matches of a query, after saying how its words were read.
 * @throws Failure if nothing matches, or only sample prices that aren't allowed. With `isWatch`, it doesn't look for similar
 *   words.
 */
export async function readMatches(
  source: OfferSource,
  query: ListingQuery,
  { isWatch, isSampleAllowed, notify }: ScriptTerms,
  limit?: number,
): Promise<readonly ListedOffer[]> {
  const matches = await source.find(query, limit);
  if (matches.offers.length === 0) {
    const near = isWatch || query.q === undefined ? undefined : await source.findNear(query, matches);
    throw nothingMatches(query, matches, near);
  }
  readingsOf(wordsOf(query, matches.understood)).forEach(notify);
  if (isSampleAllowed || !matches.offers.some(isSample)) {
    return matches.offers;
  }
  const { offers } = matches.total > matches.offers.length ? await source.find(query) : matches;
  const sold = offers.filter((offer) => !isSample(offer)).slice(0, limit);
  if (sold.length > 0) {
    return sold;
  }
  throw isWatch && (await hasSold(source))
    ? new Failure(EXIT.nothing, "only sample prices match.")
    : await onlySample(source, offers);
}

/**
 * Prints the best match, as the picker does for the same choice.
 * @throws Failure if nothing matches, the image is unknown, or the offer has changed meanwhile.
 */
export async function pickFirst(source: OfferSource, query: ListingQuery, terms: ScriptTerms): Promise<PickResult> {
  const [best] = await readMatches(source, onOffer(query), terms, 1);
  return pickOffer(source, present(best), query, terms);
}

/**
 * Prints the offer with an id.
 * @throws Failure if it is gone, unavailable or excluded by a filter, and like {@link pickFirst}.
 */
export async function pickById(
  source: OfferSource,
  id: string,
  query: ListingQuery,
  terms: ScriptTerms,
): Promise<PickResult> {
  const offer = await getOffer(source, id);
  await checkSold(source, offer, terms.isSampleAllowed);
  checkDiskSize(offer, query.disk);
  const failed = failedFilters(offer, query);
  if (failed.length > 0) {
    throw new Failure(EXIT.nothing, `offer ${id} does not match ${failed.map(flagOf).join(", ")}.`);
  }
  return pickOffer(source, atPrice(offer, query.spot === "false" ? undefined : query.spot), query, terms);
}

/** The filters that exclude an offer. Images and availability have their own error messages. */
function failedFilters(offer: ListedOffer, query: ListingQuery): ListingParameterName[] {
  const catalog = listingCatalogOf([offer], new Map());
  const { filter, words } = catalog.prepare(query).selection;
  const listing = listingOf(atPrice(offer, filter.spot));
  const failed = conditionsOf({ ...filter, image: undefined, available: undefined, availability: undefined }).filter(
    ({ holds }) => !holds(listing),
  );
  const names = failed.map(({ name }) => name);
  return catalog.index.count({ filter: {}, words }) === 0 ? ["q", ...names] : names;
}

/** @throws Failure if the offer doesn't support a disk of that size. Lists omit such offers, but an id can select one. */
export function checkDiskSize(offer: Offer, diskGb: number | undefined): void {
  if (diskGb === undefined || diskFor(offer, diskGb) !== undefined) {
    return;
  }
  const maxGb = storageOf(offer).maxGb ?? 0;
  const limit = maxGb === 0 ? "has no disk" : `supports disks of up to ${countText(maxGb)} GB`;
  throw new Failure(EXIT.usage, `offer ${offer.id} ${limit}, not ${countText(diskGb)} GB.`);
}

/** Says if the price of the required disk is unknown. */
export function noteUnknownDisk(offer: Offer, diskGb: number | undefined, notify: (text: string) => void): void {
  if (isDiskUnknown(offer, diskGb ?? 0)) {
    notify(
      `the price of a disk of ${countText(diskGb ?? 0)} GB of offer ${offer.id} is unknown, so its total is a minimum.`,
    );
  }
}

/** The offer with an id or its start. @throws Failure if there is no such offer, or if several ids begin like that. */
export async function getOffer(source: OfferSource, id: string): Promise<ListedOffer> {
  const offer = await source.findOffer(id);
  if (offer === undefined) {
    throw new Failure(EXIT.changed, `no offer has the id ${JSON.stringify(id)}. To list ids, run gpu-offers --list.`);
  }
  return offer;
}

async function pickOffer(
  source: OfferSource,
  listed: ListedOffer,
  query: ListingQuery,
  { isWatch, notify }: ScriptTerms,
): Promise<PickResult> {
  noteUnknownDisk(listed, query.disk, notify);
  const askedGb = askedDisk(query);
  const diskGb = launchDisk(listed, { askedGb, fits: query.fits }).diskGb ?? paidDisk(listed);
  const provider = listed.provider.name;
  const [images = [], { pricesAsOf }, balance] = await Promise.all([
    source.findImages(provider, { instanceType: listed.listing?.instanceType }),
    source.readAge(),
    balanceFor(source, query.budget),
  ]);
  const osImageId = imageIdOf(wantedImage(query), images, provider);
  const offer = await confirmed(source, listed, { diskGb, advice: isWatch ? "" : " List offers again." });
  const composed = composeResult({
    offer,
    images,
    osImageId,
    diskGb: askedGb,
    fits: query.fits,
    hours: query.hours,
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
async function confirmed(
  source: OfferSource,
  listed: ListedOffer,
  { diskGb, advice }: { diskGb: number; advice: string },
): Promise<ListedOffer> {
  const outcome = recheck({ offer: listed, diskGb }, { offer: await findAgain(source, listed), images: [] });
  switch (outcome.kind) {
    case "gone":
      throw new Failure(EXIT.changed, `offer ${listed.id} is gone.${advice}`);
    case "unavailable":
      throw new Failure(EXIT.changed, `offer ${listed.id} is sold out now.${advice}`);
    case "repriced":
      throw new Failure(EXIT.changed, `the price of offer ${listed.id} has changed since it was listed.${advice}`);
    case "imageGone":
    case "ok":
      return outcome.offer;
  }
}
