import type { ReactElement } from "react";
import { alignedSummary, costParts, machineParts, summaryParts } from "../output/offer-words.js";
import { shownDisk } from "../picker/choice.js";
import { imageListOf, loadedImages } from "../picker/image-list.js";
import { footerText, type Context, type HintsNow } from "../picker/keys.js";
import { shownOffer, shownPlan } from "../picker/launch-pane.js";
import { nearOf } from "../picker/reading.js";
import { readingOf } from "../picker/reading.js";
import { contextOf, fundsIn, summaryHeight, type PickerState } from "../picker/state.js";
import { padded, piece, row, type Pieces } from "../text/pieces.js";
import { listLayout } from "./OfferList.js";
import { Rows } from "./Row.js";

/** A rule, the offer that the screen is about, and key hints or a notice. */
export function Bottom({ state }: { state: PickerState }): ReactElement {
  const { columns, notice } = state;
  const context = contextOf(state);
  const hints = footerText(context, columns - 2, HINTS_NOW[context]?.(state));
  const last = notice === undefined ? row(` ${hints}`, "muted") : row(` ${notice}`, "accent");
  const summary = padded(summaryRows(state), summaryHeight(state));
  return <Rows rows={[row("─".repeat(columns), "muted"), ...summary, last]} width={columns} />;
}

/** Summary of the offer, with its cost if there is room. */
function summaryRows(state: PickerState): Pieces[] {
  const { columns, choice, found, view } = state;
  const offer = shownOffer(state);
  if (offer === undefined) {
    return [];
  }
  const funds = fundsIn(state);
  const diskGb = shownDisk(choice, found.query.disk);
  const isShort = summaryHeight(state) === 1;
  const sized = view.rows.length === 0 ? [] : listLayout(state).sized;
  const widths = new Map(sized.map(({ column, width }) => [column.id, width]));
  const parts = isShort ? summaryParts(offer, diskGb, funds) : machineParts(offer);
  const [what = "", ...others] = alignedSummary(parts, columns - 2, widths);
  const machine = [piece(` ${what}`, "strong"), piece(others.map((part) => `  ${part}`).join(""))];
  const costs = alignedSummary(costParts(offer, diskGb, funds), columns - 2);
  return isShort ? [machine] : [machine, row(` ${costs.join("  ")}`)];
}

/** What the footer says of keys where it isn't the usual: it agrees with what the screen says. */
const HINTS_NOW: Partial<Record<Context, (state: PickerState) => HintsNow>> = {
  list: (state) => (state.view.rows.length > 0 ? {} : { pick: nearOf(state).length > 0 ? "take" : undefined }),
  text: (state) => (nearOf(state).length > 0 ? { keep: "take" } : {}),
  images: ({ choice, images }) => {
    const list = choice === undefined ? undefined : loadedImages(images, imageListOf(choice.offer));
    const isStuck = list?.problem !== undefined && list.images === undefined && choice?.wantedImageId !== undefined;
    return isStuck ? { next: undefined } : {};
  },
  confirm: ({ choice }) => {
    const check = choice?.check.kind;
    if (check === "failed") {
      return { next: "retry" };
    }
    return check === "checking" || check === "gone" ? { next: undefined } : {};
  },
  launch: (state) => {
    const { length = 0 } = shownPlan(state)?.launch ?? {};
    return { ...(length > 1 ? {} : { right: undefined }), ...(length > 0 ? {} : { copyText: undefined }) };
  },
  reading: ({ found, readingCursor }) =>
    readingOf(found)[readingCursor]?.instead === undefined ? { toggle: undefined } : {},
};
