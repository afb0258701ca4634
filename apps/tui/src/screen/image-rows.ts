import type { OsImage } from "@gpu-offers/domain";
import { printable } from "@gpu-offers/list";
import { missingImageSentence } from "../output/offer-words.js";
import { isSilent, isSlow } from "../picker/state.js";
import { fit } from "../text/width.js";
import type { StepProps } from "./step-props.js";
import { BLANK, piece, row, warningRows, withMore, type Pieces } from "./pieces.js";

/** The image step in `room` lines: the images, or the state of loading them. */
export function imageRows(props: StepProps, room: number): readonly Pieces[] {
  const { choice, known, columns, nowMs } = props;
  const { images, problem, loadingSinceMs } = known;
  if (images === undefined) {
    return problem === undefined || loadingSinceMs !== undefined
      ? waitRows(nowMs, loadingSinceMs, `loading images for ${printable(choice.offer.provider.name)} ...`)
      : missingRows(props, problem.message);
  }
  const unknown = unknownRows(props);
  const height = Math.max(1, room - unknown.length);
  const top = Math.max(0, Math.min(choice.imageCursor - height + 1, images.length - height));
  const rows = images
    .slice(top, top + height)
    .map((image, index) => imagePieces(columns, image, top + index === choice.imageCursor));
  return [...unknown, ...withMore(rows, images.length - height - top, columns)];
}

/** A message about a slow wait, with its seconds once a server probably hangs. */
export function waitRows(nowMs: number, sinceMs: number | undefined, words: string): Pieces[] {
  if (sinceMs === undefined || !isSlow(nowMs, sinceMs)) {
    return [];
  }
  return [row(` ${words}${isSilent(nowMs, sinceMs) ? ` ${Math.floor((nowMs - sinceMs) / 1000)} s` : ""}`, "muted")];
}

function imagePieces(columns: number, image: OsImage, isCurrent: boolean): Pieces {
  const facts = [
    image.isDefault ? "default" : "",
    image.hasCuda ? `CUDA ${image.cudaVersion ?? ""}`.trim() : "",
    image.hasDocker ? "Docker" : "",
  ];
  return [
    piece(isCurrent ? " ❯ " : "   ", "accent"),
    piece(fit(printable(image.displayName), Math.max(20, columns - 34)), isCurrent ? "strong" : "plain"),
    piece(` ${printable(facts.filter((fact) => fact !== "").join(" · "))}`, "muted"),
  ];
}

function missingRows({ columns, choice: { wantedImageId } }: StepProps, message: string): Pieces[] {
  const advice =
    wantedImageId === undefined
      ? "Press R to retry, or Enter to use the provider's default image."
      : "Press R to retry. The list is needed to check --image.";
  return [...warningRows(message, columns), BLANK, row(` ${advice}`, "muted")];
}

/** Message if the provider doesn't have the requested image. */
function unknownRows({ columns, choice: { wantedImageId, offer } }: StepProps): Pieces[] {
  return wantedImageId === undefined
    ? []
    : [...warningRows(missingImageSentence(offer, wantedImageId), columns), BLANK];
}
