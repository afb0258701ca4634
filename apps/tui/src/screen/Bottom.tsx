import { memo, type ReactElement } from "react";
import type { Balance, Offer } from "@gpu-offers/domain";
import type { ColumnId } from "@gpu-offers/list";
import { alignedSummary, costParts, machineParts, summaryParts } from "../output/offer-words.js";
import { padded, piece, row, type Pieces } from "./pieces.js";
import { Rows } from "./Row.js";

interface SummaryProps {
  columns: number;
  /** Lines of the summary. */
  height: number;
  /** The offer that the screen is about. */
  offer: Offer | undefined;
  /** The disk that its cost includes. */
  diskGb: number | undefined;
  funds: Balance | undefined;
  /** Widths of the columns above. */
  widths: ReadonlyMap<ColumnId, number> | undefined;
}

interface BottomProps extends SummaryProps {
  /** Message in place of the key hints. */
  notice: string | undefined;
  /** Hints of keys. */
  hints: string;
}

/** A rule, the current offer, and key hints or a notice. */
export const Bottom = memo(function Bottom({ notice, hints, ...summary }: BottomProps): ReactElement {
  const { columns, height } = summary;
  const last = notice === undefined ? row(` ${hints}`, "muted") : row(` ${notice}`, "accent");
  const rows = [row("─".repeat(columns), "muted"), ...padded(summaryRows(summary), height), last];
  return <Rows rows={rows} width={columns} />;
});

/** Summary of the offer, with its cost if there is room. */
function summaryRows({ offer, diskGb, funds, columns, height, widths = new Map() }: SummaryProps): Pieces[] {
  if (offer === undefined) {
    return [];
  }
  const parts = height === 1 ? summaryParts(offer, diskGb, funds) : machineParts(offer);
  const [what = "", ...others] = alignedSummary(parts, { width: columns - 2, gap: 2, widths });
  const machine = [piece(` ${what}`, "strong"), piece(others.map((part) => `  ${part}`).join(""))];
  const costs = alignedSummary(costParts(offer, diskGb, funds), { width: columns - 2, gap: 2, widths: new Map() });
  return height === 1 ? [machine] : [machine, row(` ${costs.join("  ")}`)];
}
