import { recheck, type Balance, type Offer, type OsImage } from "@gpu-offers/domain";
import { matching, type Query } from "@gpu-offers/list";
import { balanceFor } from "../catalog/balance-for.js";
import { findAgain } from "../catalog/find-again.js";
import { nothingMatches, readMatches, withSearchedImages } from "../catalog/matches.js";
import type { OfferSource } from "../catalog/offer-source.js";
import { rejectedText } from "../catalog/rejected-text.js";
import { EXIT, Failure } from "../output/exit-codes.js";
import { machineParts, repricedSentence } from "../output/offer-words.js";
import { composeResult, type PickResult } from "../output/result.js";
import { closestOffers } from "../picker/choice.js";
import { chosenOutcome, type PickOutcome } from "../picker/pick-outcome.js";
import type { PickRequest } from "../picker/pick-request.js";
import { openDialog, type Dialog, type Prompted } from "./dialog.js";
import { promptOffer, printNumbered } from "./offer-prompt.js";
import { needsImagePrompt, promptAccept, promptDisk, promptImage, promptReplacement } from "./step-prompts.js";

// The picker as numbered prompts, without repainting, for screen readers and simple terminals.

/** Prompts until a deployment is chosen. End of input cancels. */
export async function pickByPrompts({ source, query, imageId }: PickRequest): Promise<PickOutcome> {
  const dialog = openDialog();
  try {
    const matches = await readMatches(source, query, { isWhole: true });
    if (matches.offers.length === 0) {
      throw await nothingMatches(source, matches);
    }
    const rejected = await source.listRejected();
    if (rejected.length > 0) {
      dialog.say(rejectedText(rejected, source.options));
    }
    if (source.leftOut !== undefined) {
      dialog.say(source.leftOut);
    }
    const [{ pricesAsOf }, balance] = await Promise.all([
      source.readAge(),
      balanceFor(source, query.filter.budget?.usd),
    ]);
    const context: PromptContext = {
      dialog,
      source,
      all: matches.seen,
      query: matches.query,
      withImages: (searched) => withSearchedImages(searched, source, matches.seen),
      wantedImageId: imageId,
      pricesAsOf,
      balance,
    };
    for (;;) {
      const offer = await promptOffer(context);
      const ended = offer.kind === "chosen" ? await complete(context, offer.value) : offer;
      if (ended.kind !== "back") {
        return ended.kind === "left" ? { exitCode: EXIT.canceled, output: "" } : chosenOutcome(ended.value);
      }
    }
  } finally {
    dialog.close();
  }
}

interface PromptContext {
  dialog: Dialog;
  source: OfferSource;
  /** All loaded offers, to find alternatives if the chosen one is gone. */
  all: readonly Offer[];
  query: Query;
  /** The query with images, if its words ask for one. */
  withImages: (query: Query) => Promise<Query>;
  wantedImageId: string | undefined;
  /** Date of the prices by provider. */
  pricesAsOf: ReadonlyMap<string, string>;
  balance: Balance | undefined;
}

/** Prompts for image, disk and confirmation of an offer. */
async function complete(context: PromptContext, offer: Offer): Promise<Prompted<PickResult>> {
  const { dialog, source, query, wantedImageId } = context;
  const { instanceType } = source.factsOf(offer.id) ?? {};
  const images = (await source.findImages(offer.provider.name, { instanceType })) ?? [];
  for (;;) {
    const image = await promptImage(dialog, images, { offer, wantedImageId });
    if (image.kind !== "chosen") {
      return image;
    }
    for (;;) {
      const disk = await promptDisk(dialog, offer, query.filter.diskGb);
      if (disk.kind === "left") {
        return disk;
      }
      const ended =
        disk.kind === "back" ? disk : await confirm(context, { offer, images, image: image.value, diskGb: disk.value });
      if (ended.kind !== "back") {
        return ended;
      }
      // One step back is the disk prompt if it was shown, else the image prompt, else the list.
      if (disk.kind === "back" || disk.value === undefined) {
        break;
      }
    }
    if (!needsImagePrompt(images, wantedImageId)) {
      return { kind: "back" };
    }
  }
}

interface Chosen {
  offer: Offer;
  images: readonly OsImage[];
  image: OsImage | undefined;
  diskGb: number | undefined;
}

/** Prints the cost of a choice, and rechecks it once it is accepted. */
async function confirm(
  context: PromptContext,
  { offer, images, image, diskGb }: Chosen,
): Promise<Prompted<PickResult>> {
  const { dialog, source, balance } = context;
  const pricesAsOf = context.pricesAsOf.get(offer.provider.name);
  const compose = (now: Offer, asOf = ""): PickResult => {
    const facts = source.factsOf(now.id);
    const choice = { offer: now, images, osImageId: image?.id, diskGb, facts };
    const composed = composeResult({ ...choice, asOf, pricesAsOf, balance });
    if (!composed.ok) {
      throw new Failure(EXIT.changed, composed.problems.map(({ reason }) => reason).join(" "));
    }
    return composed.result;
  };
  const imageWords = image === undefined ? "" : `, image ${image.displayName}`;
  const what = machineParts(offer).map(({ text }) => text);
  dialog.say(`${what.join(", ")}${imageWords}.`);
  for (let current = offer; ;) {
    const { hourly, isAtLeast } = compose(current).estimate;
    dialog.say(`Total: ${isAtLeast === true ? "at least " : ""}$${hourly}/h.`);
    const accepted = await promptAccept(dialog);
    if (accepted.kind !== "chosen") {
      return accepted;
    }
    const { instanceType } = source.factsOf(offer.id) ?? {};
    const [now, imagesNow = []] = await Promise.all([
      findAgain(source, offer),
      source.findImages(offer.provider.name, { instanceType }),
    ]);
    const outcome = recheck({ offer: current, osImageId: image?.id, diskGb }, { offer: now, images: imagesNow });
    switch (outcome.kind) {
      case "gone":
      case "unavailable":
        return promptAlternative(context, offer);
      case "imageGone":
        dialog.say("That image is gone. Choose another one.");
        return complete(context, outcome.offer);
      case "ok":
        return { kind: "chosen", value: compose(outcome.offer, new Date().toISOString()) };
      case "repriced":
        dialog.say(repricedSentence(current, outcome.offer, diskGb));
        current = outcome.offer;
    }
  }
}

/** Prompts for an alternative to an offer that is no longer available. */
async function promptAlternative(context: PromptContext, gone: Offer): Promise<Prompted<PickResult>> {
  const { dialog, all, query } = context;
  const matches = closestOffers(matching(all, query.filter), gone);
  const closest = matches.length > 0 ? matches : closestOffers(all, gone);
  if (closest.length === 0) {
    throw new Failure(EXIT.changed, "the offer is no longer available, and there are no similar ones. Start again.");
  }
  dialog.say("This offer is no longer available. Alternatives:");
  printNumbered(dialog, closest, { first: 1, diskGb: query.filter.diskGb });
  const replacement = await promptReplacement(dialog, closest);
  return replacement.kind === "chosen" ? complete(context, replacement.value) : replacement;
}
