import { checkDisk, hourlyCostMicros, isDiskFixed, type Offer } from "@gpu-offers/domain";
import { usdMicrosText, usdText } from "../text/price-text.js";
import { runwayOf } from "../text/runway-text.js";
import {
  chosenDisk,
  chosenImage,
  composeChoice,
  isSkipped,
  STAGES,
  type Choice,
  type Stage,
} from "../picker/choice.js";
import { isSlow, listHeight, type PickerState } from "../picker/state.js";
import { imagesOf, providerImages } from "../picker/provider-images.js";
import { fit, printable, truncate } from "../text/width.js";
import { warningLines } from "./list-lines.js";
import { BLANK, fieldPieces, line, lineWidth, pair, piece, type Line, type Piece } from "./line.js";
import { diskSentence, repricedSentence, summaryParts, summaryTexts } from "../output/offer-words.js";

// The steps from an offer to a deployment.

/** Breadcrumb, and the step that is open. */
export function stepLines(state: PickerState, choice: Choice): Line[] {
  const fault = choice.fault === undefined ? [] : [BLANK, ...warningLines(choice.fault, state.columns)];
  return closed([breadcrumb(state, choice), BLANK, ...bodyOf(state, choice), ...fault], listHeight(state) + 2);
}

/** The lines without those that only hold them apart, where a low window has no room for them. */
function closed(lines: readonly Line[], height: number): Line[] {
  return lines.length <= height ? [...lines] : lines.filter((row) => row.length > 0);
}

function bodyOf(state: PickerState, choice: Choice): Line[] {
  switch (choice.stage) {
    case "image":
      return imageLines(state, choice);
    case "disk":
      return diskLines(state, choice);
    case "confirm":
      return confirmLines(state, choice);
    case "offer":
      return [];
  }
}

const TITLES: Readonly<Record<Stage, string>> = { offer: "Offer", image: "Image", disk: "Disk", confirm: "Confirm" };

function breadcrumb(state: PickerState, choice: Choice): Line {
  const current = STAGES.indexOf(choice.stage);
  return STAGES.flatMap((stage, index): Piece[] => {
    const isDone = index < current;
    const answer = isDone ? answerOf(stage, state, choice) : "";
    return [
      piece(index === 0 ? " " : " › ", "muted"),
      piece(`${TITLES[stage]}${answer}${isDone ? " ✓" : ""}`, index === current ? "strong" : "muted"),
    ];
  });
}

/** The answer of a step that is done, as far as the breadcrumb has room for it. */
function answerOf(stage: Stage, state: PickerState, choice: Choice): string {
  const images = imagesOf(state, choice.offer);
  switch (stage) {
    case "image": {
      const image = chosenImage(choice, images ?? []);
      return image === undefined
        ? " default"
        : ` ${truncate(printable(image.id), Math.max(6, Math.min(24, state.columns - 40)))}`;
    }
    case "disk":
      return isSkipped("disk", choice, images) ? ` ${diskSentence(choice.offer)}` : ` ${choice.disk.text} GB`;
    case "offer":
    case "confirm":
      return "";
  }
}

function imageLines(state: PickerState, choice: Choice): Line[] {
  const { images, fault, readingSinceMs } = providerImages(state, choice.offer.provider.name);
  if (images === undefined) {
    return fault === undefined || readingSinceMs !== undefined
      ? waitLines(state, readingSinceMs, `reading the images of ${printable(choice.offer.provider.name)} ...`)
      : missingImagesLines(state, choice, fault.message);
  }
  const unknown = unknownImageLines(state, choice);
  const height = listHeight(state) - 2 - unknown.length;
  const top = Math.max(0, Math.min(choice.imageCursor - height + 1, images.length - height));
  const rows = images.slice(top, top + height).map((image, index): Line => {
    const isCurrent = top + index === choice.imageCursor;
    const facts = [
      image.isDefault ? "default" : "",
      image.hasCuda ? `CUDA ${image.cudaVersion ?? ""}` : "",
      image.hasDocker ? "Docker" : "",
    ];
    return [
      piece(isCurrent ? " ❯ " : "   ", "accent"),
      piece(fit(printable(image.displayName), Math.max(20, state.columns - 34)), isCurrent ? "strong" : "plain"),
      piece(` ${printable(facts.filter((fact) => fact !== "").join(" · "))}`, "muted"),
    ];
  });
  return [...unknown, ...rows];
}

/** A word about a wait, as soon as it is worth one. */
function waitLines(state: PickerState, sinceMs: number | undefined, words: string): Line[] {
  return sinceMs !== undefined && isSlow(state, sinceMs) ? [line(` ${words}`, "muted")] : [];
}

function missingImagesLines(state: PickerState, { wantedImageId }: Choice, message: string): Line[] {
  const advice =
    wantedImageId === undefined
      ? "R asks again, Enter goes on with the provider's default image"
      : "R asks again: without the list, --image cannot be checked";
  return [...warningLines(message, state.columns), BLANK, line(` ${advice}`, "muted")];
}

/** The image of the command line, where the provider does not have it. */
function unknownImageLines(state: PickerState, { wantedImageId, offer }: Choice): Line[] {
  if (wantedImageId === undefined) {
    return [];
  }
  const message = `${offer.provider.name} has no image ${JSON.stringify(wantedImageId)} (--image); choose one that it has.`;
  return [...warningLines(printable(message), state.columns), BLANK];
}

const DISK_HINT = " ↑↓ ±10   PgUp/PgDn ±100   Home min   End max";

function diskLines(state: PickerState, choice: Choice): Line[] {
  const { offer } = choice;
  const range = `   ${offer.storageMinGB}–${offer.storageMaxGB}`;
  return [
    [piece(" Disk GB [ "), ...diskField(choice), piece(" ]"), piece(range)],
    line(state.columns < 60 ? " ↑↓ ±10  PgUp/PgDn ±100  Home/End ends" : DISK_HINT, "muted"),
    BLANK,
    ...costLines(state, choice),
  ];
}

/** A proposal looks selected: the first digit takes its place. */
function diskField({ disk, isDiskProposed }: Choice): Piece[] {
  return isDiskProposed ? [piece(disk.text, "cursor"), piece(" ")] : fieldPieces(disk.text, disk.cursor);
}

/**
 * The sum that is paid, and how long the credit lasts at it; nothing for a disk that cannot be had. Where one line has
 * no room for both, what is paid comes first.
 */
function costLines({ credit, columns }: PickerState, choice: Choice): Line[] {
  const { offer } = choice;
  const check = checkDisk(offer, chosenDisk(choice));
  if (!check.ok) {
    return [];
  }
  const { diskGb } = check;
  const micros = hourlyCostMicros(offer, diskGb);
  const total = `${usdMicrosText(micros)}/h`;
  const sum = isDiskFixed(offer)
    ? `${usdText(offer.priceHourly)}, disk ${diskSentence(offer)}`
    : `${usdText(offer.priceHourly)} + ${diskGb} GB × $${offer.storageCostPerGB}`;
  const runway = runwayOf(credit?.balance, micros);
  const paid = [
    piece(offer.costDataComplete ? " " : " at least "),
    piece(total, "strong"),
    piece(runway === undefined ? "" : `      runway ${runway}`),
  ];
  const whole = [piece(` ${sum} =`), ...paid];
  return lineWidth(whole) <= columns ? [whole] : [paid, line(` = ${sum}`)];
}

function confirmLines(state: PickerState, choice: Choice): Line[] {
  const { check, offer } = choice;
  switch (check.kind) {
    case "gone":
      return goneLines(state, check.closest);
    case "failed":
      return [
        ...warningLines(check.fault.message, state.columns),
        BLANK,
        line(" Enter asks again, Esc steps back", "muted"),
      ];
    case "repriced":
      return [
        ...warningLines(repricedSentence(check.before, offer, chosenDisk(choice)), state.columns),
        BLANK,
        ...costLines(state, choice),
        BLANK,
        line(" Enter accepts the new price, Esc steps back", "muted"),
      ];
    case "open":
    case "checking":
      return [
        ...deploymentLines(state, choice),
        BLANK,
        ...costLines(state, choice),
        BLANK,
        ...(check.kind === "checking"
          ? waitLines(state, check.sinceMs, "asking the server again ...")
          : [line(" Enter takes it: it is asked for once more, then printed", "muted")]),
      ];
  }
}

function deploymentLines(state: PickerState, choice: Choice): Line[] {
  const composed = composeChoice(choice, imagesOf(state, choice.offer) ?? [], "");
  if (!composed.ok) {
    return composed.faults.map(({ reason }) => line(` ${reason}`, "warning"));
  }
  const { provider, os_image_id: image, disk_gb: diskGb } = composed.result.deployment;
  return [
    pair("provider", printable(provider)),
    pair("os_image_id", printable(image ?? "the provider's default")),
    pair("disk_gb", diskGb === undefined ? diskSentence(choice.offer) : String(diskGb)),
  ];
}

function goneLines({ query, credit, columns }: PickerState, closest: readonly Offer[]): Line[] {
  const lines = closest.map((offer, index): Line => [
    piece(`   ${index + 1} `, "accent"),
    piece(summaryTexts(summaryParts(offer, query.filter.diskGb, credit?.balance), columns - 6, 2).join("  ")),
  ]);
  return closest.length === 0
    ? [line(" This offer is gone, and nothing like it is in the list. Esc steps back.", "warning")]
    : [line(" This offer is gone. The closest ones; a key takes one:", "warning"), ...lines];
}
