import {
  checkDisk,
  hourlyCostMicros,
  isAtLeast,
  isDiskFixed,
  storageOf,
  type Offer,
  type OsImage,
} from "@gpu-offers/domain";
import { diskSentence, printable, runwayOf, usdMicrosText, usdText } from "@gpu-offers/list";
import {
  acceptWords,
  IMAGES_UNKNOWN,
  missingImageSentence,
  repricedSentence,
  summaryParts,
  summaryText,
} from "../output/offer-words.js";
import {
  chosenDisk,
  chosenImage,
  composeChoice,
  isSkipped,
  STAGES,
  type Choice,
  type Stage,
} from "../picker/choice.js";
import { imageListOf, imagesOf, loadedImages } from "../picker/image-list.js";
import { bodyHeight, fundsIn, isSilent, isSlow, type PickerState } from "../picker/state.js";
import {
  BLANK,
  fieldPieces,
  pair,
  piece,
  piecesWidth,
  pointed,
  row,
  withMore,
  wrappedRows,
  type Piece,
  type Pieces,
} from "../text/pieces.js";
import { fit, truncate } from "../text/width.js";

// The steps from an offer to a deployment: image, disk, confirmation.

const TITLES: Readonly<Record<Stage, string>> = { offer: "Offer", image: "Image", disk: "Disk", confirm: "Confirm" };

/** The open step: the breadcrumb, the step, and the problem of its input. */
export function stepRows(state: PickerState): readonly Pieces[] {
  const { choice, columns } = state;
  if (choice === undefined) {
    return [];
  }
  const problem = choice.problem === undefined ? [] : [BLANK, ...wrappedRows(choice.problem, columns, "warning")];
  const head = [breadcrumb(state, choice), BLANK];
  const height = bodyHeight(state);
  const room = height - head.length - problem.length;
  const rows = [...head, ...STEPS[choice.stage](state, choice, room), ...problem];
  // Without blank ones if the window is too low.
  return rows.length <= height ? rows : rows.filter((pieces) => pieces.length > 0);
}

const STEPS: Record<Stage, (state: PickerState, choice: Choice, room: number) => readonly Pieces[]> = {
  offer: () => [],
  image: imageRows,
  disk: diskRows,
  confirm: confirmRows,
};

function breadcrumb(state: PickerState, choice: Choice): Pieces {
  const current = STAGES.indexOf(choice.stage);
  return STAGES.flatMap((stage, index): Piece[] => {
    const value = index < current ? `${chosenValue(stage, state, choice)} ✓` : "";
    return [
      piece(index === 0 ? " " : " › ", "muted"),
      piece(`${TITLES[stage]}${value}`, index === current ? "strong" : "muted"),
    ];
  });
}

/** The choice of a completed step, if it fits in the breadcrumb. */
function chosenValue(stage: Stage, state: PickerState, choice: Choice): string {
  const images = imagesOf(state, choice.offer);
  if (stage === "image") {
    const image = chosenImage(choice, images ?? []);
    const width = Math.max(6, Math.min(24, state.columns - 40));
    return image === undefined ? " default" : ` ${truncate(printable(image.id), width)}`;
  }
  if (stage !== "disk") {
    return "";
  }
  return isSkipped("disk", choice, images) ? ` ${diskSentence(choice.offer)}` : ` ${choice.disk.text} GB`;
}

/** The image step in `room` lines: the images, or the state of loading them. */
function imageRows({ columns, images: lists, nowMs }: PickerState, choice: Choice, room: number): readonly Pieces[] {
  const { imageCursor, offer, wantedImageId } = choice;
  const { images, problem, loadingSinceMs } = loadedImages(lists, imageListOf(offer));
  if (images === undefined && (problem === undefined || loadingSinceMs !== undefined)) {
    return waitRows(nowMs, loadingSinceMs, `loading images for ${printable(offer.provider.name)} ...`);
  }
  if (images === undefined) {
    const advice =
      wantedImageId === undefined
        ? "Press R to retry, or Enter to use the provider's default image."
        : "Press R to retry. The list is needed to check --image.";
    return [...wrappedRows(problem?.message ?? "", columns, "warning"), BLANK, row(` ${advice}`, "muted")];
  }
  const unknown =
    wantedImageId === undefined
      ? []
      : [...wrappedRows(missingImageSentence(offer, wantedImageId), columns, "warning"), BLANK];
  const height = Math.max(1, room - unknown.length);
  const top = Math.max(0, Math.min(imageCursor - height + 1, images.length - height));
  const rows = images
    .slice(top, top + height)
    .map((image, index) => imagePieces(columns, image, top + index === imageCursor));
  return [...unknown, ...withMore(rows, images.length - height - top, columns)];
}

/** A message about a slow wait, with its seconds once a server probably hangs. */
function waitRows(nowMs: number, sinceMs: number | undefined, words: string): Pieces[] {
  if (sinceMs === undefined || !isSlow(nowMs, sinceMs)) {
    return [];
  }
  return [row(` ${words}${isSilent(nowMs, sinceMs) ? ` ${Math.floor((nowMs - sinceMs) / 1000)} s` : ""}`, "muted")];
}

function imagePieces(columns: number, image: OsImage, isCurrent: boolean): Pieces {
  const cuda = image.hasCuda ? `CUDA ${image.cudaVersion ?? ""}`.trim() : "";
  const facts = [image.isDefault ? "default" : "", cuda, image.hasDocker ? "Docker" : ""];
  return [
    ...pointed(fit(printable(image.displayName), Math.max(20, columns - 34)), isCurrent),
    piece(` ${facts.filter((fact) => fact !== "").join(" · ")}`, "muted"),
  ];
}

function diskRows(state: PickerState, choice: Choice): Pieces[] {
  const { disk, isDiskProposed, offer } = choice;
  const { minGb, maxGb } = storageOf(offer);
  // A proposed size looks selected, because the first digit replaces it.
  const field = isDiskProposed ? [piece(disk.text, "cursor"), piece(" ")] : fieldPieces(disk.text, disk.cursor);
  const hint =
    state.columns < 60 ? " ↑↓ ±10  PgUp/PgDn ±100  Home/End min/max" : " ↑↓ ±10   PgUp/PgDn ±100   Home min   End max";
  return [
    [piece(" Disk GB [ "), ...field, piece(" ]"), piece(`   ${minGb ?? 0}–${maxGb ?? ""}`)],
    row(hint, "muted"),
    BLANK,
    ...costRows(state, choice),
  ];
}

/** `× $0.08/month`, or what is known besides. */
function diskPrice(offer: Offer): string {
  const { pricePerGbMonth, includedGb, steps } = storageOf(offer);
  const isIncluded = includedGb !== null && includedGb > 0;
  const unpriced = isIncluded ? "more at an unknown price" : "unknown";
  const price = pricePerGbMonth === null ? (steps === null ? unpriced : "by size") : `× $${pricePerGbMonth}/month`;
  return isIncluded ? `(${includedGb} included, ${price})` : price;
}

/** The total price and the runway; nothing for an invalid disk. If they don't fit in one row, the price comes first. */
function costRows(state: PickerState, choice: Choice): Pieces[] {
  const { offer } = choice;
  const check = checkDisk(offer, chosenDisk(choice));
  if (!check.ok) {
    return [];
  }
  const { diskGb } = check;
  const micros = hourlyCostMicros(offer, diskGb);
  const disk = isDiskFixed(offer) ? `, disk ${diskSentence(offer)}` : ` + ${diskGb} GB ${diskPrice(offer)}`;
  const sum = `${usdText(offer.priceHourly)}${disk}`;
  const runway = runwayOf(fundsIn(state), micros);
  const paid = [
    piece(isAtLeast(offer, diskGb) ? " at least " : " "),
    piece(`${usdMicrosText(micros)}/h`, "strong"),
    piece(runway === undefined ? "" : `      runway ${runway}`),
  ];
  const whole = [piece(` ${sum} =`), ...paid];
  return piecesWidth(whole) <= state.columns ? [whole] : [paid, row(` = ${sum}`)];
}

/** The confirmation: the deployment and its cost, or the result of a recheck. */
function confirmRows(state: PickerState, choice: Choice): Pieces[] {
  const { columns, nowMs } = state;
  const { check, offer } = choice;
  switch (check.kind) {
    case "gone":
      return goneRows(state, check.closest);
    case "failed":
      return [
        ...wrappedRows(check.problem.message, columns, "warning"),
        BLANK,
        row(" Enter to retry, Esc to go back", "muted"),
      ];
    case "repriced":
      return [
        ...wrappedRows(repricedSentence(check.before, offer, chosenDisk(choice)), columns, "warning"),
        BLANK,
        ...costRows(state, choice),
        BLANK,
        row(" Enter to accept the new price, Esc to go back", "muted"),
      ];
    case "open":
    case "checking":
      return [
        ...deploymentRows(state, choice),
        BLANK,
        ...costRows(state, choice),
        BLANK,
        ...(check.kind === "checking"
          ? waitRows(nowMs, check.sinceMs, "rechecking availability and price ...")
          : [row(` Enter to accept; ${acceptWords(offer)}`, "muted")]),
      ];
  }
}

function deploymentRows(state: PickerState, choice: Choice): Pieces[] {
  const images = imagesOf(state, choice.offer);
  const composed = composeChoice(choice, images ?? []);
  if (!composed.ok) {
    return composed.problems.map(({ reason }) => row(` ${reason}`, "warning"));
  }
  const { provider, os_image_id: image, disk_gb: diskGb } = composed.result.deployment;
  return [
    pair("provider", provider),
    pair("os_image_id", image ?? (images?.length === 0 ? IMAGES_UNKNOWN : "the provider's default")),
    pair("disk_gb", diskGb === undefined ? diskSentence(choice.offer) : String(diskGb)),
  ];
}

function goneRows(state: PickerState, closest: readonly Offer[]): Pieces[] {
  const rows = closest.map((offer, index): Pieces => {
    const parts = summaryParts(offer, state.found.query.disk, fundsIn(state));
    return [piece(`   ${index + 1} `, "accent"), piece(summaryText(parts, state.columns - 6))];
  });
  return closest.length === 0
    ? [row(" This offer is no longer available, and there are no similar ones. Press Esc to go back.", "warning")]
    : [row(" This offer is no longer available. Press a number to choose an alternative:", "warning"), ...rows];
}
