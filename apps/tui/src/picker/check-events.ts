import { atPrice, recheck, type Offer, type OsImage, isSoldOut } from "@gpu-offers/domain";
import { refreshed } from "./query-actions.js";
import { chosenDisk, chosenImage, composeChoice, firstWanted, type Choice } from "./choice.js";
import type { PickerEvent } from "./event.js";
import { imageListOf, imagesOf, isSameList, knownImages } from "./image-list.js";
import { asksForImage, withImages } from "./read-ahead.js";
import { reasonsOf, stepped, withChoice } from "./step-actions.js";
import { withCommands, fundsIn, type PickerState } from "./state.js";

// Handles responses about a choice: rechecks and images.

/** Images have arrived. If an image step was waiting for them and offers no choice, it is skipped. */
export function receiveImages(state: PickerState, event: PickerEvent & { kind: "images" }): PickerState {
  const next = withCatalogImages(withImages(state, event), event);
  const { choice } = state;
  if (choice === undefined || !isSameList(event, imageListOf(choice.offer))) {
    return next;
  }
  if (event.problem !== undefined) {
    return withChoice(next, choice, { typedAhead: [] });
  }
  const before = imagesOf(state, choice.offer);
  if (before === undefined) {
    const imageCursor = firstWanted(event.images, state.found.selection.filter.image?.wanted);
    const first = { ...choice, imageCursor };
    return withChoice(
      next,
      choice.stage === "image"
        ? stepped({ ...first, stage: "offer" }, event.images, 1)
        : withNewImages(first, undefined, event.images),
    );
  }
  const kept = { ...choice, imageCursor: restoredCursor(choice, before, event.images) };
  return withChoice(next, withNewImages(kept, chosenImage(choice, before)?.id, event.images));
}

/** A choice past the image step never changes its image unseen: it returns to that step, or is confirmed again. */
function withNewImages(choice: Choice, imageId: string | undefined, images: readonly OsImage[]): Choice {
  const isPast = choice.stage === "disk" || choice.stage === "confirm";
  if (!isPast || chosenImage(choice, images)?.id === imageId) {
    return choice;
  }
  return imageId === undefined || images.some(({ id }) => id === imageId)
    ? { ...choice, check: { kind: "open" } }
    : toImages(choice);
}

/** Back to the image step, because the chosen image is gone. */
function toImages(choice: Choice): Choice {
  const problem = "That image is gone. Choose another one.";
  return { ...choice, stage: "image", imageCursor: 0, problem, check: { kind: "open" } };
}

/** If the query asks for an image, a provider's offers match once a matching image of it is loaded. */
function withCatalogImages(
  state: PickerState,
  { instanceType, problem }: PickerEvent & { kind: "images" },
): PickerState {
  if (problem !== undefined || instanceType !== undefined) {
    return state;
  }
  const { loaded } = state;
  const next = { ...state, loaded: { ...loaded, catalog: loaded.catalog.withImages(knownImages(state.images)) } };
  return asksForImage(state.found) ? refreshed(next) : next;
}

/** The position of the selected image in another list. */
function restoredCursor(
  { imageCursor }: Choice,
  before: readonly OsImage[] | undefined,
  now: readonly OsImage[],
): number {
  const place = now.findIndex(({ id }) => id === before?.[imageCursor]?.id);
  return Math.max(0, place === -1 ? Math.min(imageCursor, now.length - 1) : place);
}

/**
 * The rechecked offer has arrived. If it is unchanged, the choice is complete. A response to a choice that was left or changed
 * since is void.
 */
export function receiveCheck(state: PickerState, event: PickerEvent & { kind: "checked" }): PickerState {
  const { choice } = state;
  if (choice?.check.kind !== "checking" || choice.check.number !== event.number) {
    return state;
  }
  if (event.problem !== undefined) {
    return withChoice(state, choice, { check: { kind: "failed", problem: event.problem } });
  }
  const known = imagesOf(state, choice.offer) ?? [];
  const outcome = recheck(
    { offer: choice.offer, osImageId: chosenImage(choice, known)?.id, diskGb: chosenDisk(choice) },
    event,
  );
  switch (outcome.kind) {
    case "gone":
    case "unavailable":
      return withChoice(state, choice, { check: { kind: "gone", closest: closestTo(state, choice.offer) } });
    case "repriced":
      return withChoice(state, choice, {
        offer: outcome.offer,
        check: { kind: "repriced", before: outcome.before },
      });
    case "imageGone": {
      const { images, asOf } = event;
      const list = imageListOf(choice.offer);
      const read = withImages(state, { ...list, kind: "images", images, nowMs: Date.parse(asOf) });
      return withChoice(read, toImages(choice));
    }
    case "ok":
      return accept(state, { ...choice, offer: outcome.offer }, known, event.asOf);
  }
}

function accept(state: PickerState, choice: Choice, images: readonly OsImage[], asOf: string): PickerState {
  const composed = composeChoice(choice, images, {
    asOf,
    hours: state.found.query.hours,
    pricesAsOf: state.loaded.age?.pricesAsOf.get(choice.offer.provider.name),
    balance: fundsIn(state),
    launchKind: state.launchKind,
  });
  return composed.ok
    ? withCommands(state, { kind: "exit", result: composed.result })
    : withChoice(state, choice, { check: { kind: "open" }, problem: reasonsOf(composed) });
}

/** Three alternatives to an offer that is no longer available: matching ones, same GPU and count first, then nearest price. */
function closestTo({ view, loaded, found }: PickerState, gone: Offer): Offer[] {
  const matching = new Set(view.offers.map(({ id }) => id));
  const { spot } = found.selection.filter;
  const distance = (offer: Offer): number =>
    (matching.has(offer.id) ? 0 : 4e9) +
    (offer.gpu.slug === gone.gpu.slug ? 0 : 2e9) +
    (offer.gpuCount === gone.gpuCount ? 0 : 1e9) +
    Math.abs(offer.priceHourly - gone.priceHourly);
  return loaded.offers
    .map((offer) => atPrice(offer, spot))
    .filter((offer) => offer.id !== gone.id && !isSoldOut(offer))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, 3);
}
