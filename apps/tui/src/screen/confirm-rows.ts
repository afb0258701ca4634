import type { Offer, OsImage } from "@gpu-offers/domain";
import { diskSentence, printable } from "@gpu-offers/list";
import { acceptWords, IMAGES_UNKNOWN, repricedSentence, summaryParts, summaryTexts } from "../output/offer-words.js";
import { chosenDisk, composeChoice } from "../picker/choice.js";
import { NAME_WIDTH } from "../picker/text-pane.js";
import { costRows } from "./disk-rows.js";
import { waitRows } from "./image-rows.js";
import type { StepProps } from "./step-props.js";
import { BLANK, pair, piece, row, warningRows, type Pieces } from "./pieces.js";

/** The confirmation: the deployment and its cost, or the result of a recheck. */
export function confirmRows(props: StepProps): Pieces[] {
  const { choice, columns, nowMs } = props;
  const { check, offer } = choice;
  switch (check.kind) {
    case "gone":
      return goneRows(props, check.closest);
    case "failed":
      return [...warningRows(check.problem.message, columns), BLANK, row(" Enter to retry, Esc to go back", "muted")];
    case "repriced":
      return [
        ...warningRows(repricedSentence(check.before, offer, chosenDisk(choice)), columns),
        BLANK,
        ...costRows(props),
        BLANK,
        row(" Enter to accept the new price, Esc to go back", "muted"),
      ];
    case "open":
    case "checking":
      return [
        ...deploymentRows(props),
        BLANK,
        ...costRows(props),
        BLANK,
        ...(check.kind === "checking"
          ? waitRows(nowMs, check.sinceMs, "rechecking availability and price ...")
          : [row(` Enter to accept; ${acceptWords(offer)}`, "muted")]),
      ];
  }
}

function deploymentRows({ choice, known }: StepProps): Pieces[] {
  const composed = composeChoice(choice, known.images ?? []);
  if (!composed.ok) {
    return composed.problems.map(({ reason }) => row(` ${reason}`, "warning"));
  }
  const { provider, os_image_id: image, disk_gb: diskGb } = composed.result.deployment;
  return [
    pair("provider", printable(provider), NAME_WIDTH),
    pair("os_image_id", imageText(image, known.images), NAME_WIDTH),
    pair("disk_gb", diskGb === undefined ? diskSentence(choice.offer) : String(diskGb), NAME_WIDTH),
  ];
}

function imageText(id: string | undefined, images: readonly OsImage[] | undefined): string {
  return id !== undefined ? printable(id) : images?.length === 0 ? IMAGES_UNKNOWN : "the provider's default";
}

function goneRows({ diskGb, funds, columns }: StepProps, closest: readonly Offer[]): Pieces[] {
  const rows = closest.map((offer, index): Pieces => [
    piece(`   ${index + 1} `, "accent"),
    piece(summaryTexts(summaryParts(offer, diskGb, funds), columns - 6, 2).join("  ")),
  ]);
  return closest.length === 0
    ? [row(" This offer is no longer available, and there are no similar ones. Press Esc to go back.", "warning")]
    : [row(" This offer is no longer available. Press a number to choose an alternative:", "warning"), ...rows];
}
