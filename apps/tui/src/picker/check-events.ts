import { costsTheSame } from "../output/offer-cost.js";
import { chosenDisk, closestOffers, composeChoice, type Choice } from "./choice.js";
import { step, type PickerEvent, type Step } from "./event.js";
import { forward } from "./step-actions.js";
import type { PickerState } from "./state.js";

// What the server says of a choice, and of the images that it can be made from.

/** Images have come. A step that waited for them and has no choice now is passed over. */
export function receiveImages(state: PickerState, event: PickerEvent & { kind: "images" }): Step {
  const images = new Map(state.images).set(event.provider, event.images);
  const next: PickerState = { ...state, images };
  const { choice } = state;
  if (choice?.stage !== "image" || choice.offer.provider.name !== event.provider) {
    return step(next);
  }
  const fault = event.fault === undefined ? undefined : `${event.fault.message} The provider's default image is taken.`;
  const advanced = event.images.length <= 1 ? forward(choice, event.images) : choice;
  const imageCursor = Math.max(0, Math.min(choice.imageCursor, event.images.length - 1));
  return step({ ...next, choice: { ...advanced, imageCursor, fault } });
}

/** The offer as it is now. Unchanged: the choice is made. */
export function receiveCheck(state: PickerState, event: PickerEvent & { kind: "checked" }): Step {
  const { choice } = state;
  if (choice?.check.kind !== "checking") {
    return step(state);
  }
  const { offer: now, asOf } = event;
  if (now === undefined || !now.isAvailable) {
    const closest = closestOffers(state.view.rows, choice.offer);
    return step(withCheck(state, choice, { kind: "gone", closest }));
  }
  if (!costsTheSame(choice.offer, now, chosenDisk(choice) ?? choice.offer.storageMinGB)) {
    return step(withCheck(state, { ...choice, offer: now }, { kind: "repriced", before: choice.offer }));
  }
  const images = state.images.get(now.provider.name) ?? [];
  const imageId = images.length > 1 ? images[choice.imageCursor]?.id : undefined;
  if (imageId !== undefined && !event.images.some(({ id }) => id === imageId)) {
    const known = new Map(state.images).set(now.provider.name, event.images);
    const fault = "That image is gone. Choose another one.";
    return step({
      ...state,
      images: known,
      choice: { ...choice, stage: "image", imageCursor: 0, fault, check: { kind: "open" } },
    });
  }
  const composed = composeChoice({ ...choice, offer: now }, images, asOf);
  return composed.ok
    ? step(state, { kind: "exit", result: composed.result })
    : step({
        ...state,
        choice: { ...choice, check: { kind: "open" }, fault: composed.faults.map((f) => f.reason).join(" ") },
      });
}

function withCheck(state: PickerState, choice: Choice, check: Choice["check"]): PickerState {
  return { ...state, choice: { ...choice, check } };
}
