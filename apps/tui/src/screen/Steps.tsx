import type { ReactElement } from "react";
import { isDiskFixed } from "@gpu-offers/domain";
import { diskSentence } from "../output/offer-words.js";
import { chosenImage, isSkipped, STAGES, type Choice, type Stage } from "../picker/choice.js";
import { imagesOf } from "../picker/provider-images.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { printable, truncate } from "../text/width.js";
import { confirmRows } from "./confirm-rows.js";
import { diskRows } from "./disk-rows.js";
import { imageRows } from "./image-rows.js";
import { warningRows } from "./OfferList.js";
import { BLANK, clip, padded, piece, type Piece, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

interface StepProps {
  state: PickerState;
  choice: Choice;
}

/** The open step from an offer to a deployment. */
export function Step({ state, choice }: StepProps): ReactElement | null {
  switch (choice.stage) {
    case "image":
      return <ImageStep state={state} choice={choice} />;
    case "disk":
      return <DiskStep state={state} choice={choice} />;
    case "confirm":
      return <ConfirmStep state={state} choice={choice} />;
    case "offer":
      return null;
  }
}

/** The image step. */
export function ImageStep({ state, choice }: StepProps): ReactElement {
  return <StepBody state={state} choice={choice} rows={imageRows(state, choice)} />;
}

/** The disk step. */
export function DiskStep({ state, choice }: StepProps): ReactElement {
  return <StepBody state={state} choice={choice} rows={diskRows(state, choice)} />;
}

/** The confirmation step, and the result of a recheck. */
export function ConfirmStep({ state, choice }: StepProps): ReactElement {
  return <StepBody state={state} choice={choice} rows={confirmRows(state, choice)} />;
}

/** The breadcrumb, the step, and the problem of its input. */
function StepBody({ state, choice, rows }: StepProps & { rows: readonly Pieces[] }): ReactElement {
  const problem = choice.problem === undefined ? [] : [BLANK, ...warningRows(choice.problem, state.columns)];
  const height = bodyHeight(state);
  const all = closed([breadcrumb(state, choice), BLANK, ...rows, ...problem], height);
  return <Rows rows={padded(all, height).map((pieces) => clip(pieces, state.columns))} width={state.columns} />;
}

/** The rows, without blank ones if the window is too low. */
function closed(rows: readonly Pieces[], height: number): readonly Pieces[] {
  return rows.length <= height ? rows : rows.filter((pieces) => pieces.length > 0);
}

const TITLES: Readonly<Record<Stage, string>> = { offer: "Offer", image: "Image", disk: "Disk", confirm: "Confirm" };

function breadcrumb(state: PickerState, choice: Choice): Pieces {
  const current = STAGES.indexOf(choice.stage);
  return STAGES.flatMap((stage, index): Piece[] => {
    const isDone = index < current;
    const value = isDone ? chosenValue(stage, state, choice) : "";
    return [
      piece(index === 0 ? " " : " › ", "muted"),
      piece(`${TITLES[stage]}${value}${isDone ? " ✓" : ""}`, index === current ? "strong" : "muted"),
    ];
  });
}

/** The choice of a completed step, if it fits in the breadcrumb. */
function chosenValue(stage: Stage, state: PickerState, choice: Choice): string {
  const images = imagesOf(state, choice.offer);
  switch (stage) {
    case "image": {
      const image = chosenImage(choice, images ?? []);
      return image === undefined
        ? " default"
        : ` ${truncate(printable(image.id), Math.max(6, Math.min(24, state.columns - 40)))}`;
    }
    case "disk":
      return isSkipped("disk", choice, images) || isDiskFixed(choice.offer)
        ? ` ${diskSentence(choice.offer)}`
        : ` ${choice.disk.text} GB`;
    case "offer":
    case "confirm":
      return "";
  }
}
