import type { ReactElement } from "react";
import { HELP_WIDTH, NAME_WIDTH, type TextLayout } from "../picker/text-pane.js";
import type { TextRow } from "../picker/text-row.js";
import { fit } from "../text/width.js";
import { BLANK, ends, filled, padded, pair, piece, row, withMore, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

interface TextPaneProps {
  lines: readonly TextRow[];
  layout: TextLayout;
  /** Whether the lines are keys and what they do. */
  isHelp: boolean;
  width: number;
}

/** Details, account or help over the list. The last row says if there is more. */
export function TextPane({ lines, layout, isHelp, width }: TextPaneProps): ReactElement {
  const { columns, length, height, top } = layout;
  const cells = lines.map(isHelp ? helpPieces : textPieces);
  const cellWidth = columns === 1 ? width : HELP_WIDTH;
  const shown = Array.from({ length: Math.min(length, height) }, (_, line): Pieces => {
    const parts = Array.from({ length: columns }, (__, column) => cells[column * length + top + line] ?? BLANK);
    return columns === 1 ? (parts[0] ?? BLANK) : parts.flatMap((part) => ends(part, BLANK, cellWidth));
  });
  const rows = withMore(shown, length - height - top, width);
  return <Rows rows={rows} width={width} height={height} />;
}

interface DetailsProps {
  lines: readonly TextRow[];
  /** First visible line. */
  top: number;
  isFocused: boolean;
  width: number;
  height: number;
}

/** Details to the right of the list. */
export function Details({ lines, top, isFocused, width, height }: DetailsProps): ReactElement {
  const cells = lines.map(textPieces);
  const rows = withMore(padded(cells.slice(top), height), cells.length - height - top, width - 2);
  const border = piece("│", isFocused ? "accent" : "muted");
  return <Rows rows={rows.map((pieces) => [border].concat(filled(pieces, width - 1)))} width={width} />;
}

function textPieces(line: TextRow): Pieces {
  switch (line.kind) {
    case "pair":
      return pair(line.name, line.value, NAME_WIDTH);
    case "title":
      return row(` ${line.text}`, "accent");
    case "note":
      return row(` ${line.text}`);
    case "warning":
      return row(` ${line.text}`, "warning");
  }
}

function helpPieces(line: TextRow): Pieces {
  return line.kind === "pair" ? [piece(`  ${fit(line.name, 12)} `, "strong"), piece(line.value)] : textPieces(line);
}
