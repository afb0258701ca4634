import { asSentence, checkDisk, paidDisk, type Offer } from "@gpu-offers/domain";
import { ageRangeOf, ageRangeText, diskSentence, UNKNOWN_AGE, leftOutOf, sampleLine } from "@gpu-offers/list";
import { nothingMatches } from "../catalog/query-words.js";
import { OfferSourceError } from "../catalog/offer-source-error.js";
import { sourceNotes } from "../catalog/source-notes.js";
import { EXIT, Failure } from "../exit-codes.js";
import { acceptWords, machineParts, missingImageSentence, repricedSentence } from "../output/offer-words.js";
import { chosenDisk, chosenImage, composeChoice, type Choice } from "../picker/choice.js";
import type { PickerEvent } from "../picker/event.js";
import { imageListOf, imagesOf, loadedImages } from "../picker/image-list.js";
import { endedOutcome, type PickOutcome, type PickRequest } from "../picker/pick-request.js";
import { missesImages } from "../picker/read-ahead.js";
import { Session } from "../picker/session.js";
import { initialState, isWaiting, openChoice, type PickerState } from "../picker/state.js";
import { askFor, keys, openDialog, type Dialog } from "./dialog.js";
import { numbered, promptOffer, sentence } from "./offer-prompt.js";

// The picker as numbered prompts, without repainting, for screen readers and simple terminals. Lines that are typed become
// events of the screen, so that both do the same.

/** The screen behind the prompts. */
const SIZE = { columns: 80, rows: 24 };

/** Prompts until a deployment is chosen. End of input cancels. */
export async function pickByPrompts(request: PickRequest): Promise<PickOutcome> {
  const session = new Session(initialState({ ...request, ...SIZE, nowMs: Date.now() }), request.source, {
    save: request.save,
  });
  const dialog = openDialog(() => session.close());
  try {
    return endedOutcome(await Promise.race([session.run(), promptAll(dialog, session, request)]), request.isText);
  } finally {
    session.close();
    dialog.close();
  }
}

/** Prompts for one step after the other. The session ends it. */
async function promptAll(dialog: Dialog, session: Session, { source }: PickRequest): Promise<never> {
  for (let isFirst = true; ; isFirst = false) {
    const state = await session.until(isSettled);
    const { loaded, found, view } = state;
    const choice = openChoice(state);
    const { query } = found;
    if (loaded.load.kind === "failed") {
      throw new OfferSourceError(loaded.load.problem);
    }
    if (isFirst && view.offers.length === 0) {
      const excludedBy = Object.fromEntries(found.exclusions.map(({ name, count }) => [name, count]));
      const [near] = query.q === undefined ? [] : loaded.catalog.nearTo(query.q, found.selection);
      throw nothingMatches(query, { offers: [], total: 0, understood: found.understood, excludedBy }, near);
    }
    if (isFirst) {
      const age = loaded.age ?? UNKNOWN_AGE;
      const ages = sampleLine(loaded.offers, age) ?? ageRangeText(ageRangeOf(loaded.offers, age), Date.now());
      [...(await sourceNotes(source, leftOutOf(found))), ages].forEach((text) => dialog.say(sentence(text)));
    }
    const events = await (choice === undefined ? promptOffer(dialog, state) : promptStep(dialog, state, choice));
    session.send({ kind: "tick", nowMs: Date.now() }, ...events);
  }
}

/** Whether nothing that a prompt shows is being read. */
function isSettled(state: PickerState): boolean {
  const { load, age } = state.loaded;
  return load.kind === "failed" || (!isWaiting(state) && age !== undefined && !missesImages(state));
}

const LEAVE = "b for back, q to quit:";

function promptStep(dialog: Dialog, state: PickerState, choice: Choice): Promise<readonly PickerEvent[]> {
  if (choice.problem !== undefined) {
    dialog.say(choice.problem);
  }
  switch (choice.stage) {
    case "image":
      return promptImage(dialog, state, choice);
    case "disk":
      return promptDisk(dialog, state, choice);
    case "confirm":
    case "offer":
      return choice.check.kind === "gone"
        ? promptReplacement(dialog, state, choice.check.closest)
        : promptAccept(dialog, state, choice);
  }
}

function promptImage(dialog: Dialog, state: PickerState, choice: Choice): Promise<readonly PickerEvent[]> {
  const { imageCursor, offer, wantedImageId } = choice;
  const { images, problem } = loadedImages(state.images, imageListOf(offer));
  if (images === undefined) {
    dialog.say(problem?.message ?? "");
    return askFor(dialog, `Enter for the provider's default image, r to retry, ${LEAVE}`, {
      help: ["Enter: the provider's default image, unless --image requests one.", "r: read the images again."],
      read: (text) =>
        text === "" ? keys("Enter") : text === "r" ? keys("R") : `${JSON.stringify(text)} is not an option.`,
    });
  }
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

function promptDisk(dialog: Dialog, { found }: PickerState, choice: Choice): Promise<readonly PickerEvent[]> {
  const { offer } = choice;
  const check = checkDisk(offer, chosenDisk(choice));
  const proposed = String(check.ok ? check.diskGb : paidDisk(offer, found.query.disk));
  const limits = diskSentence(offer);
  return askFor(dialog, `Disk in GB, ${limits}, Enter for ${proposed}, ${LEAVE}`, {
    help: [`Number: disk size in GB (${limits}).`, `Enter: ${proposed} GB.`],
    read: (text) =>
      text === ""
        ? keys("Enter")
        : /^\d+$/.test(text)
          ? keys("Ctrl-U", ...text.split(""), "Enter")
          : "Enter digits only.",
  });
}

/** Says what was chosen and its cost, or what a recheck found. Only Enter, y and yes accept. */
function promptAccept(dialog: Dialog, state: PickerState, choice: Choice): Promise<readonly PickerEvent[]> {
  const { check, offer } = choice;
  const images = imagesOf(state, offer) ?? [];
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
  { found }: PickerState,
  closest: readonly Offer[],
): Promise<readonly PickerEvent[]> {
  if (closest.length === 0) {
    throw new Failure(EXIT.changed, "the offer is no longer available, and there are no similar ones. Start again.");
  }
  dialog.say("This offer is no longer available. Alternatives:");
  numbered(closest, found.query).forEach(dialog.say);
  return askFor(dialog, `Number to choose, ${LEAVE}`, {
    help: ["Number: choose that offer."],
    read: (text) => (closest[Number(text) - 1] === undefined ? "Enter the number of an offer." : keys(text)),
  });
}
