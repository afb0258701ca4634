import type { ReactElement } from "react";
import { isDiskFixed } from "@gpu-offers/domain";
import { diskSentence, printable } from "@gpu-offers/list";
import { chosenImage, isSkipped, STAGES, type Stage } from "../picker/choice.js";
import { truncate } from "../text/width.js";
import { confirmRows } from "./confirm-rows.js";
import { diskRows } from "./disk-rows.js";
import { imageRows } from "./image-rows.js";
import { BLANK, piece, warningRows, type Piece, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";
import type { StepProps } from "./step-props.js";

/** The open step from an offer to a deployment: the breadcrumb, the step, and the problem of its input. */
export function Step(props: StepProps): ReactElement {
  const { choice, columns, height } = props;
  const problem = choice.problem === undefined ? [] : [BLANK, ...warningRows(choice.problem, columns)];
  const head = [breadcrumb(props), BLANK];
  const room = height - head.length - problem.length;
  const all = closed([...head, ...stepRows(props, room), ...problem], height);
  return <Rows rows={all} width={columns} height={height} />;
}

function stepRows(props: StepProps, room: number): readonly Pieces[] {
  switch (props.choice.stage) {
    case "image":
      return imageRows(props, room);
    case "disk":
      return diskRows(props);
    case "confirm":
      return confirmRows(props);
    case "offer":
      return [];
  }
}

/** The rows, without blank ones if the window is too low. */
function closed(rows: readonly Pieces[], height: number): readonly Pieces[] {
  return rows.length <= height ? rows : rows.filter((pieces) => pieces.length > 0);
}

const TITLES: Readonly<Record<Stage, string>> = { offer: "Offer", image: "Image", disk: "Disk", confirm: "Confirm" };

function breadcrumb(props: StepProps): Pieces {
  const current = STAGES.indexOf(props.choice.stage);
  return STAGES.flatMap((stage, index): Piece[] => {
    const isDone = index < current;
    const value = isDone ? chosenValue(stage, props) : "";
    return [
      piece(index === 0 ? " " : " › ", "muted"),
      piece(`${TITLES[stage]}${value}${isDone ? " ✓" : ""}`, index === current ? "strong" : "muted"),
    ];
  });
}

/** The choice of a completed step, if it fits in the breadcrumb. */
function chosenValue(stage: Stage, { choice, known: { images }, columns }: StepProps): string {
  switch (stage) {
    case "image": {
      const image = chosenImage(choice, images ?? []);
      return image === undefined
        ? " default"
        : ` ${truncate(printable(image.id), Math.max(6, Math.min(24, columns - 40)))}`;
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
