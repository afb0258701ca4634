import type { ReactElement } from "react";
import { isDiskFixed } from "@gpu-offers/domain";
import { diskSentence, printable } from "@gpu-offers/list";
import { chosenImage, isSkipped, STAGES, type Choice, type Stage } from "../picker/choice.js";
import { imagesOf } from "../picker/provider-images.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { truncate } from "../text/width.js";
import { confirmRows } from "./confirm-rows.js";
import { diskRows } from "./disk-rows.js";
import { imageRows } from "./image-rows.js";
import { BLANK, clip, padded, piece, warningRows, type Piece, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

/** The open step from an offer to a deployment: the breadcrumb, the step, and the problem of its input. */
export function Step({ state, choice }: { state: PickerState; choice: Choice }): ReactElement {
  const problem = choice.problem === undefined ? [] : [BLANK, ...warningRows(choice.problem, state.columns)];
  const height = bodyHeight(state);
  const head = [breadcrumb(state, choice), BLANK];
  const room = height - head.length - problem.length;
  const all = closed([...head, ...stepRows(state, choice, room), ...problem], height);
  return <Rows rows={padded(all, height).map((pieces) => clip(pieces, state.columns))} width={state.columns} />;
}

function stepRows(state: PickerState, choice: Choice, room: number): readonly Pieces[] {
  switch (choice.stage) {
    case "image":
      return imageRows(state, choice, room);
    case "disk":
      return diskRows(state, choice);
    case "confirm":
      return confirmRows(state, choice);
    case "offer":
      return [];
  }
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
