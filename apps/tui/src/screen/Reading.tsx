import type { SearchPiece } from "@gpu-offers/domain";
import { countOf, countText } from "@gpu-offers/list";
import type { ReactElement } from "react";
import { effectsOf, readingOf, type EffectivePiece } from "../picker/reading.js";
import { bodyHeight, type PickerState } from "../picker/state.js";
import { clip, ends, piece, piecesWidth, row, type Pieces } from "../text/pieces.js";
import { wrapped } from "../text/width.js";
import { Row } from "./Row.js";

type LinePiece = Pick<SearchPiece, "as" | "doubt">;

/** Shorter words for narrow windows. */
const SHORTER: readonly (readonly [RegExp, string])[] = [
  [/ per GPU-hour/g, "/GPU-h"],
  [/ per hour for the instance/g, "/h total"],
  [/\bat most /g, "≤"],
  [/\bat least /g, "≥"],
  [/\bbelow (?=[$\d])/g, "<"],
  [/\b(?:above|over) (?=[$\d])/g, ">"],
  [/ in (\d+) forms/g, " ($1 forms)"],
];

/**
 * How the words are read, in pieces, doubtful ones marked. In a narrow window, words are shortened first, then pieces
 * without doubt are only counted.
 */
export function ReadingLine({ state: { columns, found, pane } }: { state: PickerState }): ReactElement {
  const pieces: readonly LinePiece[] = readingOf(found);
  const openKey = pane === "text" ? "Tab" : "w";
  const short = pieces.map((one) => ({
    ...one,
    as: SHORTER.reduce((text, [long, by]) => text.replace(long, by), one.as),
  }));
  const certain = short.filter(({ doubt }) => doubt === undefined);
  const ways = [
    pieces,
    ...certain.map((_, count) => short.filter((one) => !certain.toReversed().slice(0, count).includes(one))),
    short.filter(({ doubt }) => doubt !== undefined),
  ].map((shown) => linePieces(shown, pieces.length - shown.length));
  const left = ways.find((way) => piecesWidth(way) < columns) ?? clip(ways.at(-1) ?? [], columns - 1);
  const hint = [`  ${openKey} why `, `  ${openKey} `].find((text) => piecesWidth(left) + text.length <= columns);
  return <Row pieces={ends(left, row(hint ?? "", "muted"), columns)} />;
}

function linePieces(pieces: readonly LinePiece[], hidden: number): Pieces {
  const shown = pieces.flatMap(({ as, doubt }, index) => [
    piece(index === 0 ? " " : " · ", "muted"),
    doubt === undefined ? piece(as) : piece(`?${as}`, "warning"),
  ]);
  return hidden === 0 ? shown : [...shown, piece(` +${hidden}`, "muted")];
}

/** What each piece of the words means and excludes, and its other reading. */
export function readingRows(state: PickerState): Pieces[] {
  const pieces = effectsOf(state);
  const cursor = Math.min(state.readingCursor, pieces.length - 1);
  const lines = pieces.flatMap((one, index) =>
    pieceRows(one, index === cursor, state.columns).map((shown) => ({ shown, index })),
  );
  // All that is said of the piece under the cursor is seen.
  const first = lines.findIndex(({ index }) => index === cursor);
  const last = lines.findLastIndex(({ index }) => index === cursor);
  const top = Math.min(first, Math.max(0, last - bodyHeight(state) + 1));
  return lines.slice(top).map(({ shown }) => shown);
}

function pieceRows(one: EffectivePiece, isCurrent: boolean, width: number): Pieces[] {
  const { text, as, doubt, instead, excludes, insteadCount = 0 } = one;
  const [first = "", ...rest] = wrapped(text === as ? text : `${text}: ${as}`, width - 4);
  const other = instead === "" ? "without these words" : `read as ${JSON.stringify(instead)}`;
  const more = (words: string): string[] => wrapped(words, width - 6);
  return [
    [piece(isCurrent ? " ❯ " : "   ", "accent"), piece(first, isCurrent ? "strong" : "plain")],
    ...rest.map((line) => row(`   ${line}`, isCurrent ? "strong" : "plain")),
    row(`     excludes ${excludes === 0 ? "no offer" : countOf(excludes, "offer")}`, "muted"),
    ...(doubt === undefined ? [] : more(`? ${doubt}`).map((line) => row(`     ${line}`, "warning"))),
    ...(instead === undefined
      ? []
      : more(`${isCurrent ? "Enter: " : ""}${other}, ${countText(insteadCount)} match`).map((line) =>
          row(`     ${line}`, isCurrent ? "accent" : "muted"),
        )),
  ];
}
