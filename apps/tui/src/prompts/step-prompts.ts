import { checkDisk, isDiskFixed, paidDisk, type Offer, type OsImage } from "@gpu-offers/domain";
import { diskSentence } from "@gpu-offers/list";
import { hasImageChoice } from "../picker/choice.js";
import { askFor, type Dialog, type Prompted } from "./dialog.js";

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
  return askFor(dialog, "Number of the image, Enter for the first, b for back, q to quit:", {
    help: ["Number: choose that image.", "Enter: first image."],
    read: (text) => numbered(images, text === "" ? "1" : text) ?? "Enter the number of an image.",
  });
}

/** The item with a number. */
function numbered<Item>(items: readonly Item[], text: string): { value: Item } | undefined {
  const value = items[Number(text) - 1];
  return value === undefined ? undefined : { value };
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
  const request = `Disk in GB, ${diskSentence(offer)}, Enter for ${proposed}, b for back, q to quit:`;
  return askFor(dialog, request, {
    help: [`Number: disk size in GB (${diskSentence(offer)}).`, `Enter: ${proposed} GB.`],
    read: (text) => {
      if (!/^\d*$/.test(text)) {
        return "Enter digits only.";
      }
      const check = checkDisk(offer, text === "" ? proposed : Number(text));
      return check.ok ? { value: check.diskGb } : check.reason;
    },
  });
}

/** Prompts for confirmation. Only Enter, y and yes accept. */
export function promptAccept(dialog: Dialog): Promise<Prompted<true>> {
  return askFor(dialog, "Accept? Enter, y or yes; b for back; q, n or no to quit:", {
    help: ["Enter, y or yes: accept. Availability and price are rechecked before printing."],
    read: (text) =>
      /^(?:|y|yes)$/i.test(text)
        ? { value: true as const }
        : `${JSON.stringify(text)} is not an option. Enter y, b or q.`,
  });
}

/** Prompts for one of the alternatives to an offer. */
export function promptReplacement(dialog: Dialog, closest: readonly Offer[]): Promise<Prompted<Offer>> {
  return askFor(dialog, "Number to choose, b for back, q to quit:", {
    help: ["Number: choose that offer."],
    read: (text) => numbered(closest, text) ?? "Enter the number of an offer.",
  });
}
