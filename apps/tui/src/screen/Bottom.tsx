import { Box } from "ink";
import type { ReactElement } from "react";
import { checkDisk, type Offer } from "@gpu-offers/domain";
import { alignedSummary, costParts, machineParts, summaryParts, type SummaryPart } from "../output/offer-words.js";
import { chosenDisk } from "../picker/choice.js";
import { comparedOffer } from "../picker/compare-pane.js";
import { footerText } from "../picker/keys.js";
import { currentOffer } from "../picker/offer-view.js";
import { contextOf, fundsOf, summaryHeight, type PickerState } from "../picker/state.js";
import { listLayout } from "./list-layout.js";
import { clip, padded, piece, row, type Pieces } from "./pieces.js";
import { Row } from "./Row.js";

/** A rule, the current offer, and key hints or a notice. */
export function Bottom({ state }: { state: PickerState }): ReactElement {
  const { columns, notice } = state;
  return (
    <Box flexDirection="column">
      <Row pieces={row("─".repeat(columns), "muted")} />
      <Summary state={state} />
      <Row
        pieces={clip(
          notice === undefined
            ? row(` ${footerText(contextOf(state), columns - 2, hasChoice(state) ? undefined : "pick")}`, "muted")
            : row(` ${notice}`, "accent"),
          columns,
        )}
      />
    </Box>
  );
}

/** Whether Enter chooses something in the list. */
function hasChoice({ view, near }: PickerState): boolean {
  return view.rows.length > 0 || (near?.found.length ?? 0) > 0;
}

/** Summary of the selected offer, with its cost if there is room. */
function Summary({ state }: { state: PickerState }): ReactElement {
  const { columns } = state;
  const offer = summarizedOffer(state);
  const rows = offer === undefined ? [] : summaryRows(state, offer);
  return (
    <Box flexDirection="column">
      {padded(rows, summaryHeight(state)).map((pieces, index) => (
        <Row key={index} pieces={clip(pieces, columns)} />
      ))}
    </Box>
  );
}

/** The offer that the screen is about. */
function summarizedOffer(state: PickerState): Offer | undefined {
  const { choice, pane, view } = state;
  if (pane === "compare") {
    return comparedOffer(state);
  }
  return choice === undefined || choice.stage === "offer" ? currentOffer(view) : choice.offer;
}

function summaryRows(state: PickerState, offer: Offer): Pieces[] {
  const { columns } = state;
  const diskGb = summaryDiskGb(state);
  const funds = fundsOf(state);
  return summaryHeight(state) === 1
    ? [summaryRow(state, summaryParts(offer, diskGb, funds))]
    : [
        summaryRow(state, machineParts(offer)),
        row(
          ` ${alignedSummary(costParts(offer, diskGb, funds), { width: columns - 2, gap: 2, widths: new Map() }).join("  ")}`,
        ),
      ];
}

function summaryRow(state: PickerState, parts: readonly SummaryPart[]): Pieces {
  const sized = state.view.rows.length === 0 ? [] : listLayout(state).sized;
  const widths = new Map(sized.map(({ column, width }) => [column.id, width]));
  const [what = "", ...others] = alignedSummary(parts, { width: state.columns - 2, gap: 2, widths });
  return [piece(` ${what}`, "strong"), piece(others.map((part) => `  ${part}`).join(""))];
}

/** The disk of the summary: the entered one, or the requested one. */
function summaryDiskGb({ choice, query }: PickerState): number | undefined {
  if (choice === undefined || choice.stage === "offer") {
    return query.filter.diskGb;
  }
  const check = checkDisk(choice.offer, chosenDisk(choice));
  return check.ok ? check.diskGb : query.filter.diskGb;
}
