import { imageListOf, loadedImages } from "./image-list.js";
import type { HintsNow } from "./keys.js";
import { shownPlan } from "./launch-pane.js";
import { nearOf } from "./near-searches.js";
import { readingOf } from "./reading.js";
import { contextOf, type PickerState } from "./state.js";

/** What the footer says of Enter where it isn't the usual: it agrees with what the screen says. */
export function hintsNow(state: PickerState): HintsNow {
  const { choice, images, view } = state;
  switch (contextOf(state)) {
    case "list":
      return view.rows.length > 0 ? {} : { pick: nearOf(state).length > 0 ? "take" : undefined };
    case "text":
      return nearOf(state).length > 0 ? { keep: "take" } : {};
    case "images": {
      const list = choice === undefined ? undefined : loadedImages(images, imageListOf(choice.offer));
      const isStuck = list?.problem !== undefined && list.images === undefined && choice?.wantedImageId !== undefined;
      return isStuck ? { next: undefined } : {};
    }
    case "confirm": {
      const check = choice?.check.kind;
      return check === "failed"
        ? { next: "retry" }
        : check === "checking" || check === "gone"
          ? { next: undefined }
          : {};
    }
    case "launch": {
      const { length = 0 } = shownPlan(state)?.launch ?? {};
      return { ...(length > 1 ? {} : { right: undefined }), ...(length > 0 ? {} : { copyText: undefined }) };
    }
    case "reading": {
      const piece = readingOf(state.found)[state.readingCursor];
      return piece?.instead === undefined ? { toggle: undefined } : {};
    }
    case "account":
    case "columns":
    case "compare":
    case "details":
    case "disk":
    case "facets":
    case "help":
      return {};
  }
}
