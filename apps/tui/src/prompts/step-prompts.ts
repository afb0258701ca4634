import { checkDisk, isDiskFixed, paidDisk, type Offer, type OsImage } from "@gpu-offers/domain";
import { diskSentence } from "@gpu-offers/list";
import { hasImageChoice } from "../picker/choice.js";
import type { Dialog, Prompted } from "./dialog.js";

// The prompts between an offer and its deployment.

/** Prompts for the image; undefined if the provider's default is used without a prompt. */
export async function promptImage(
  dialog: Dialog,
  images: readonly OsImage[],
  { offer, wantedImageId }: { offer: Offer; wantedImageId: string | undefined },
): Promise<Prompted<OsImage | undefined>> {
  const wanted = images.find(({ id }) => id === wantedImageId);
  if (wantedImageId !== undefined && wanted === undefined) {
    dialog.say(`${offer.provider.name} has no image ${JSON.stringify(wantedImageId)} (--image).`);
  }
  if (!needsImagePrompt(images, wantedImageId)) {
    return { kind: "chosen", value: hasImageChoice(images) ? wanted : undefined };
  }
  images.forEach((image, index) =>
    dialog.say(`${index + 1}. ${image.displayName}${image.isDefault ? ", default" : ""}`),
  );
  for (;;) {
    const help = ["Number: choose that image.", "Enter: first image."];
    const reply = await dialog.ask("Number of the image, Enter for the first, b for back, q to quit:", help);
    if (reply.kind !== "line") {
      return reply;
    }
    const image = images[Number(reply.text === "" ? 1 : reply.text) - 1];
    if (image !== undefined) {
      return { kind: "chosen", value: image };
    }
    dialog.say("Enter the number of an image.");
  }
}

/** Whether to prompt for an image: there are several, and none is preselected. */
export function needsImagePrompt(images: readonly OsImage[], wantedImageId: string | undefined): boolean {
  return hasImageChoice(images) && !images.some(({ id }) => id === wantedImageId);
}

/** Prompts for the disk in GB; undefined if the offer's disk is fixed. */
export async function promptDisk(
  dialog: Dialog,
  offer: Offer,
  neededGb: number | undefined,
): Promise<Prompted<number | undefined>> {
  if (isDiskFixed(offer)) {
    return { kind: "chosen", value: undefined };
  }
  const proposed = paidDisk(offer, neededGb);
  for (;;) {
    const help = [`Number: disk size in GB (${diskSentence(offer)}).`, `Enter: ${proposed} GB.`];
    const reply = await dialog.ask(
      `Disk in GB, ${diskSentence(offer)}, Enter for ${proposed}, b for back, q to quit:`,
      help,
    );
    if (reply.kind !== "line") {
      return reply;
    }
    if (!/^\d*$/.test(reply.text)) {
      dialog.say("Enter digits only.");
      continue;
    }
    const check = checkDisk(offer, reply.text === "" ? proposed : Number(reply.text));
    if (check.ok) {
      return { kind: "chosen", value: check.diskGb };
    }
    dialog.say(check.reason);
  }
}

/** Prompts for confirmation. Only Enter, y and yes accept. */
export async function promptAccept(dialog: Dialog): Promise<Prompted<true>> {
  const help = ["Enter, y or yes: accept. Availability and price are rechecked before printing."];
  for (;;) {
    const reply = await dialog.ask("Accept? Enter, y or yes; b for back; q, n or no to quit:", help);
    if (reply.kind !== "line") {
      return reply;
    }
    if (/^(?:|y|yes)$/i.test(reply.text)) {
      return { kind: "chosen", value: true };
    }
    dialog.say(`${JSON.stringify(reply.text)} is not an option. Enter y, b or q.`);
  }
}

/** Prompts for one of the alternatives to an offer. */
export async function promptReplacement(dialog: Dialog, closest: readonly Offer[]): Promise<Prompted<Offer>> {
  for (;;) {
    const reply = await dialog.ask("Number to choose, b for back, q to quit:", ["Number: choose that offer."]);
    if (reply.kind !== "line") {
      return reply;
    }
    const offer = closest[Number(reply.text) - 1];
    if (offer !== undefined) {
      return { kind: "chosen", value: offer };
    }
    dialog.say("Enter the number of an offer.");
  }
}
