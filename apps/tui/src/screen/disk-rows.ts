import { checkDisk, hourlyCostMicros, isAtLeast, isDiskFixed, storageOf, type Offer } from "@gpu-offers/domain";
import { diskSentence, runwayOf, usdMicrosText, usdText } from "@gpu-offers/list";
import { chosenDisk, type Choice } from "../picker/choice.js";
import type { StepProps } from "./step-props.js";
import { BLANK, fieldPieces, piece, piecesWidth, row, type Piece, type Pieces } from "./pieces.js";

const HINT = " ↑↓ ±10   PgUp/PgDn ±100   Home min   End max";
const SHORT_HINT = " ↑↓ ±10  PgUp/PgDn ±100  Home/End min/max";

/** The disk step: the size, its limits, and what it costs. */
export function diskRows(props: StepProps): Pieces[] {
  const { choice, columns } = props;
  const { minGb, maxGb } = storageOf(choice.offer);
  return [
    [piece(" Disk GB [ "), ...diskField(choice), piece(" ]"), piece(`   ${minGb ?? 0}–${maxGb ?? ""}`)],
    row(columns < 60 ? SHORT_HINT : HINT, "muted"),
    BLANK,
    ...costRows(props),
  ];
}

/** `× $0.08/month`, or what is known besides. */
function diskPrice(offer: Offer): string {
  const { pricePerGbMonth, includedGb, steps } = storageOf(offer);
  const price = pricePerGbMonth === null ? (steps === null ? "unknown" : "by size") : `× $${pricePerGbMonth}/month`;
  return includedGb === null || includedGb === 0 ? price : `(${includedGb} included, ${price})`;
}

/** A proposed size looks selected, because the first digit replaces it. */
function diskField({ disk, isDiskProposed }: Choice): Piece[] {
  return isDiskProposed ? [piece(disk.text, "cursor"), piece(" ")] : fieldPieces(disk.text, disk.cursor);
}

/**
 * The total price and the runway; nothing for an invalid disk. If they don't fit in one row, the price comes first.
 */
export function costRows({ choice, funds, columns }: StepProps): Pieces[] {
  const { offer } = choice;
  const check = checkDisk(offer, chosenDisk(choice));
  if (!check.ok) {
    return [];
  }
  const { diskGb } = check;
  const micros = hourlyCostMicros(offer, diskGb);
  const sum = isDiskFixed(offer)
    ? `${usdText(offer.priceHourly)}, disk ${diskSentence(offer)}`
    : `${usdText(offer.priceHourly)} + ${diskGb} GB ${diskPrice(offer)}`;
  const runway = runwayOf(funds, micros);
  const paid = [
    piece(isAtLeast(offer, diskGb) ? " at least " : " "),
    piece(`${usdMicrosText(micros)}/h`, "strong"),
    piece(runway === undefined ? "" : `      runway ${runway}`),
  ];
  const whole = [piece(` ${sum} =`), ...paid];
  return piecesWidth(whole) <= columns ? [whole] : [paid, row(` = ${sum}`)];
}
