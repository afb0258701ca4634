import { isDiskFixed, recheck, type ChosenOffer, type Offer, type OsImage } from "@gpu-offers/domain";
import type { OfferSource } from "../catalog/offer-source.js";
import { paidDiskGb } from "../output/offer-cost.js";
import { composeResult, resultLine } from "../output/result.js";
import { hasImageChoice } from "../picker/choice.js";
import type { Query } from "../query/query.js";
import { EXIT, Failure } from "../output/exit.js";
import { nothingMatches, readMatches } from "../catalog/matches.js";

/**
 * The line of the best match: what the picker prints for the same choice.
 * @throws Failure when nothing matches, when the image is unknown, and when the offer has changed meanwhile.
 */
export async function firstLine(
  source: OfferSource,
  asked: Query,
  { imageId, isWatch = false }: { imageId?: string | undefined; isWatch?: boolean },
): Promise<string> {
  const query = { ...asked, filter: { ...asked.filter, available: true } };
  const matches = await readMatches(source, query, 1);
  const [best] = matches.offers;
  if (best === undefined) {
    throw await nothingMatches(source, query, isWatch ? matches.seen : undefined);
  }
  const diskGb = paidDiskGb(best, query.filter.diskGb);
  const images = (await source.findImages(best.provider.name)) ?? [];
  const osImageId = isNeeded(imageId, images) ? imageId : undefined;
  const offer = await confirmed(source, { offer: best, diskGb });
  const composed = composeResult({
    offer,
    images,
    osImageId,
    diskGb: isDiskFixed(offer) ? undefined : diskGb,
    asOf: new Date().toISOString(),
  });
  if (!composed.ok) {
    throw new Failure(EXIT.usage, composed.faults.map(({ reason }) => reason).join(" "));
  }
  return resultLine(composed.result);
}

/** The only image need not be named: the picker does not ask for it either. */
function isNeeded(imageId: string | undefined, images: readonly OsImage[]): boolean {
  return hasImageChoice(images) || images[0]?.id !== imageId;
}

/** The offer as the server has it now. */
async function confirmed(source: OfferSource, chosen: ChosenOffer): Promise<Offer> {
  const { id } = chosen.offer;
  const outcome = recheck(chosen, { offer: await source.findOffer(id), images: [] });
  switch (outcome.kind) {
    case "gone":
    case "unavailable":
      throw new Failure(EXIT.changed, `offer ${id} is gone since it was listed; ask again.`);
    case "repriced":
      throw new Failure(EXIT.changed, `offer ${id} has another price since it was listed; ask again.`);
    case "imageGone":
    case "ok":
      return outcome.offer;
  }
}
