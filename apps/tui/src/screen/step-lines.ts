import { hourlyCostMicros, isDiskFixed, type Offer } from "@gpu-offers/domain";
import { microsText, decimalsFor, usdText } from "../output/price-text.js";
import { runwayOf } from "../output/runway-text.js";
import { chosenDisk, composeChoice, isSkipped, STAGES, type Choice, type Stage } from "../picker/choice.js";
import { listHeight, type PickerState } from "../picker/state.js";
import { imagesOf } from "../picker/step-actions.js";
import { fit, printable } from "../text/width.js";
import { BLANK, fieldPieces, line, pair, piece, type Line, type Piece } from "./line.js";
import { diskSentence, summaryParts } from "./offer-words.js";

// The steps from an offer to a deployment.

/** Breadcrumb, and the step that is open. */
export function stepLines(state: PickerState, choice: Choice): Line[] {
  const fault = choice.fault === undefined ? [] : [BLANK, line(` ${choice.fault}`, "warning")];
  return [breadcrumb(state, choice), BLANK, ...bodyOf(state, choice), ...fault];
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
      const image = images?.[choice.imageCursor];
      return image === undefined ? " default" : ` ${fit(printable(image.id), 24).trimEnd()}`;
    }
    case "disk":
      return isSkipped("disk", choice, images) ? ` ${diskSentence(choice.offer)}` : ` ${choice.disk.text} GB`;
    case "offer":
    case "confirm":
      return "";
  }
}

function imageLines(state: PickerState, choice: Choice): Line[] {
  const images = imagesOf(state, choice.offer);
  if (images === undefined) {
    return [line(` reading the images of ${printable(choice.offer.provider.name)} ...`, "muted")];
  }
  const height = listHeight(state) - 2;
  const top = Math.max(0, Math.min(choice.imageCursor - height + 1, images.length - height));
  return images.slice(top, top + height).map((image, index): Line => {
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
}

function diskLines(state: PickerState, choice: Choice): Line[] {
  const { offer } = choice;
  const range = `   ${offer.storageMinGB}–${offer.storageMaxGB}`;
  return [
    [piece(" Disk GB [ "), ...fieldPieces(choice.disk.text, choice.disk.cursor), piece(" ]"), piece(range)],
    line(" ↑↓ ±10   PgUp/PgDn ±100   Home min   End max", "muted"),
    BLANK,
    ...costLines(state, choice),
  ];
}

/** The sum that is paid, and how long the credit lasts at it. */
function costLines({ credit }: PickerState, choice: Choice): Line[] {
  const { offer } = choice;
  const diskGb = isDiskFixed(offer) ? offer.storageMinGB : (chosenDisk(choice) ?? Number.NaN);
  if (!Number.isSafeInteger(diskGb)) {
    return [];
  }
  const micros = hourlyCostMicros(offer, diskGb);
  const total = `$${microsText(micros, decimalsFor([micros]))}/h`;
  const sum = isDiskFixed(offer)
    ? `${usdText(offer.priceHourly)}, ${diskSentence(offer)} =`
    : `${usdText(offer.priceHourly)} + ${diskGb} GB × $${offer.storageCostPerGB} =`;
  const runway = runwayOf(credit?.balance, micros);
  const atLeast = offer.costDataComplete ? "" : " at least";
  return [
    [piece(` ${sum}${atLeast} `), piece(total, "strong"), piece(runway === undefined ? "" : `      runway ${runway}`)],
  ];
}

function confirmLines(state: PickerState, choice: Choice): Line[] {
  const { check, offer } = choice;
  switch (check.kind) {
    case "gone":
      return goneLines(state, check.closest);
    case "failed":
      return [line(` ${check.fault.message}`, "warning"), BLANK, line(" Enter asks again, Esc steps back", "muted")];
    case "repriced":
      return [
        line(
          ` The price has changed: ${usdText(check.before.priceHourly)}/h is now ${usdText(offer.priceHourly)}/h.`,
          "warning",
        ),
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
        line(
          check.kind === "checking"
            ? " asking the server again ..."
            : " Enter takes it: it is asked for once more, then printed",
          "muted",
        ),
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

function goneLines({ query, credit }: PickerState, closest: readonly Offer[]): Line[] {
  const lines = closest.map((offer, index): Line => [
    piece(`   ${index + 1} `, "accent"),
    piece(summaryParts(offer, query.filter.diskGb, credit?.balance).join("  ")),
  ]);
  return closest.length === 0
    ? [line(" This offer is gone, and nothing like it is in the list. Esc steps back.", "warning")]
    : [line(" This offer is gone. The closest ones; a key takes one:", "warning"), ...lines];
}
