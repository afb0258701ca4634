import type { Offer } from "@gpu-offers/domain";
import { diskSentence, printable } from "@gpu-offers/list";
import { repricedSentence, summaryParts, summaryTexts } from "../output/offer-words.js";
import { chosenDisk, composeChoice, type Choice } from "../picker/choice.js";
import { imagesOf } from "../picker/provider-images.js";
import { NAME_WIDTH } from "../picker/text-pane.js";
import { fundsOf, type PickerState } from "../picker/state.js";
import { costRows } from "./disk-rows.js";
import { waitRows } from "./image-rows.js";
import { BLANK, pair, piece, row, warningRows, type Pieces } from "./pieces.js";

/** The confirmation: the deployment and its cost, or the result of a recheck. */
export function confirmRows(state: PickerState, choice: Choice): Pieces[] {
  const { check, offer } = choice;
  switch (check.kind) {
    case "gone":
      return goneRows(state, check.closest);
    case "failed":
      return [
        ...warningRows(check.problem.message, state.columns),
        BLANK,
        row(" Enter to retry, Esc to go back", "muted"),
      ];
    case "repriced":
      return [
        ...warningRows(repricedSentence(check.before, offer, chosenDisk(choice)), state.columns),
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
          ? waitRows(state, check.sinceMs, "rechecking availability and price ...")
          : [row(" Enter to accept; availability and price are rechecked before printing", "muted")]),
      ];
  }
}

function deploymentRows(state: PickerState, choice: Choice): Pieces[] {
  const composed = composeChoice(choice, imagesOf(state, choice.offer) ?? []);
  if (!composed.ok) {
    return composed.problems.map(({ reason }) => row(` ${reason}`, "warning"));
  }
  const { provider, os_image_id: image, disk_gb: diskGb } = composed.result.deployment;
  return [
    pair("provider", printable(provider), NAME_WIDTH),
    pair("os_image_id", printable(image ?? "the provider's default"), NAME_WIDTH),
    pair("disk_gb", diskGb === undefined ? diskSentence(choice.offer) : String(diskGb), NAME_WIDTH),
  ];
}

function goneRows(state: PickerState, closest: readonly Offer[]): Pieces[] {
  const { query, columns } = state;
  const rows = closest.map((offer, index): Pieces => [
    piece(`   ${index + 1} `, "accent"),
    piece(summaryTexts(summaryParts(offer, query.filter.diskGb, fundsOf(state)), columns - 6, 2).join("  ")),
  ]);
  return closest.length === 0
    ? [row(" This offer is no longer available, and there are no similar ones. Press Esc to go back.", "warning")]
    : [row(" This offer is no longer available. Press a number to choose an alternative:", "warning"), ...rows];
}
