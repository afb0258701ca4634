import { ageRangeOf, ageRangeText, UNKNOWN_AGE, leftOutOf, sampleLine } from "@gpu-offers/list";
import { nothingMatches } from "../catalog/matches.js";
import { failureOf } from "../catalog/offer-source-error.js";
import { sourceNotes } from "../catalog/source-notes.js";
import { imageListOf, loadedImages } from "../picker/image-list.js";
import { endedOutcome, type PickOutcome, type PickRequest } from "../picker/pick-request.js";
import { missesImages } from "../picker/read-ahead.js";
import { Session } from "../picker/session.js";
import { contextOf, initialState, isWaiting, type PickerState } from "../picker/state.js";
import { openDialog, type Dialog } from "./dialog.js";
import { promptOffer, sentence } from "./offer-prompt.js";
import { promptStep } from "./step-prompts.js";

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
    const { loaded, found, choice, view } = state;
    const { query } = found;
    if (loaded.load.kind === "failed") {
      throw failureOf(loaded.load.problem);
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
    const isList = choice === undefined || contextOf(state) === "list";
    const events = await (isList
      ? promptOffer(dialog, state)
      : promptStep(dialog, { choice, query, known: loadedImages(state.images, imageListOf(choice.offer)) }));
    session.send({ kind: "tick", nowMs: Date.now() }, ...events);
  }
}

/** Whether nothing that a prompt shows is being read. */
function isSettled(state: PickerState): boolean {
  const { load, age } = state.loaded;
  return load.kind === "failed" || (!isWaiting(state) && age !== undefined && !missesImages(state));
}
