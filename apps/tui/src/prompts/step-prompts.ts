import { asSentence, checkDisk, paidDisk, type ListingQuery, type Offer } from "@gpu-offers/domain";
import { diskSentence } from "@gpu-offers/list";
import { EXIT, Failure } from "../exit-codes.js";
import { acceptWords, machineParts, missingImageSentence, repricedSentence } from "../output/offer-words.js";
import { chosenDisk, chosenImage, composeChoice, type Choice } from "../picker/choice.js";
import type { PickerEvent } from "../picker/event.js";
import type { LoadedImages } from "../picker/image-list.js";
import { askFor, keys, type Dialog } from "./dialog.js";
import { numbered } from "./offer-prompt.js";

// The steps from an offer to a deployment as prompts.

/** What a step is about. */
interface StepPrompt {
  choice: Choice;
  /** The images that the offer can boot. */
  known: LoadedImages;
  query: ListingQuery;
}

const LEAVE = "b for back, q to quit:";

/** Prompts for what the open step is about. */
export function promptStep(dialog: Dialog, step: StepPrompt): Promise<readonly PickerEvent[]> {
  const { choice, known } = step;
  if (choice.problem !== undefined) {
    dialog.say(choice.problem);
  }
  switch (choice.stage) {
    case "image":
      return known.images === undefined ? promptRetry(dialog, known) : promptImage(dialog, choice, known.images);
    case "disk":
      return promptDisk(dialog, step);
    case "confirm":
    case "offer":
      return choice.check.kind === "gone"
        ? promptReplacement(dialog, choice.check.closest, step.query)
        : promptAccept(dialog, step);
  }
}

/** The images can't be read. The provider's default one can be used, unless another one is requested. */
function promptRetry(dialog: Dialog, { problem }: LoadedImages): Promise<readonly PickerEvent[]> {
  dialog.say(problem?.message ?? "");
  return askFor(dialog, `Enter for the provider's default image, r to retry, ${LEAVE}`, {
    help: ["Enter: the provider's default image, unless --image requests one.", "r: read the images again."],
    read: (text) =>
      text === "" ? keys("Enter") : text === "r" ? keys("R") : `${JSON.stringify(text)} is not an option.`,
  });
}

function promptImage(
  dialog: Dialog,
  { imageCursor, offer, wantedImageId }: Choice,
  images: NonNullable<LoadedImages["images"]>,
): Promise<readonly PickerEvent[]> {
  if (wantedImageId !== undefined) {
    dialog.say(missingImageSentence(offer, wantedImageId));
  }
  images.forEach((image, index) =>
    dialog.say(`${index + 1}. ${image.displayName}${image.isDefault ? ", default" : ""}`),
  );
  return askFor(dialog, `Number of the image, Enter for ${imageCursor + 1}, ${LEAVE}`, {
    help: ["Number: choose that image.", `Enter: image ${imageCursor + 1}.`],
    read: (text) => {
      const index = text === "" ? imageCursor : Number(text) - 1;
      const downs = Array.from({ length: index }, () => "Down");
      return images[index] === undefined ? "Enter the number of an image." : keys("Home", ...downs, "Enter");
    },
  });
}

function promptDisk(dialog: Dialog, { choice, query }: StepPrompt): Promise<readonly PickerEvent[]> {
  const { offer } = choice;
  const check = checkDisk(offer, chosenDisk(choice));
  const proposed = String(check.ok ? check.diskGb : paidDisk(offer, query.disk));
  const limits = diskSentence(offer);
  return askFor(dialog, `Disk in GB, ${limits}, Enter for ${proposed}, ${LEAVE}`, {
    help: [`Number: disk size in GB (${limits}).`, `Enter: ${proposed} GB.`],
    read: (text) =>
      /^\d*$/.test(text) ? keys("Ctrl-U", ...(text === "" ? proposed : text).split(""), "Enter") : "Enter digits only.",
  });
}

/** Says what was chosen and its cost, or what a recheck found. Only Enter, y and yes accept. */
function promptAccept(dialog: Dialog, { choice, known: { images = [] } }: StepPrompt): Promise<readonly PickerEvent[]> {
  const { check, offer } = choice;
  if (check.kind === "repriced") {
    dialog.say(repricedSentence(check.before, offer, chosenDisk(choice)));
  } else if (check.kind === "failed") {
    dialog.say(check.problem.message);
  } else {
    const image = chosenImage(choice, images);
    const what = machineParts(offer).map(({ text }) => text);
    dialog.say(`${[...what, ...(image === undefined ? [] : [`image ${image.displayName}`])].join(", ")}.`);
  }
  const composed = composeChoice(choice, images);
  if (composed.ok) {
    const { hourly, isAtLeast } = composed.result.estimate;
    dialog.say(`Total: ${isAtLeast === true ? "at least " : ""}$${hourly}/h.`);
  }
  return askFor(dialog, "Accept? Enter, y or yes; b for back; q, n or no to quit:", {
    help: [`Enter, y or yes: accept. ${asSentence(acceptWords(offer))}`],
    read: (text) =>
      /^(?:|y|yes)$/i.test(text) ? keys("Enter") : `${JSON.stringify(text)} is not an option. Enter y, b or q.`,
  });
}

/** Prompts for one of the alternatives to an offer that is no longer available. */
function promptReplacement(
  dialog: Dialog,
  closest: readonly Offer[],
  query: ListingQuery,
): Promise<readonly PickerEvent[]> {
  if (closest.length === 0) {
    throw new Failure(EXIT.changed, "the offer is no longer available, and there are no similar ones. Start again.");
  }
  dialog.say("This offer is no longer available. Alternatives:");
  numbered(closest, query).forEach(dialog.say);
  return askFor(dialog, `Number to choose, ${LEAVE}`, {
    help: ["Number: choose that offer."],
    read: (text) => (closest[Number(text) - 1] === undefined ? "Enter the number of an offer." : keys(text)),
  });
}
