import { HIDEABLE_COLUMNS, SCREEN_COLUMNS } from "../output/columns.js";
import { countText } from "../text/count-text.js";
import { facetRows, type FacetRow } from "../query/facets.js";
import { detailRows, HELP_WIDTH, readingLayout, readingRows, type ReadingRow } from "../picker/reading-pane.js";
import { listHeight, SIDE_PANE_WIDTH, type PickerState } from "../picker/state.js";
import { fit } from "../text/width.js";
import { BLANK, ends, line, pair, piece, type Line } from "./line.js";

// The panes that cover the list.

/** Lines around a cursor that fit; the cursor stays away from the edges as long as there is something behind them. */
function around(lines: readonly Line[], cursor: number, height: number): Line[] {
  const top = Math.max(0, Math.min(cursor - Math.floor(height / 2), lines.length - height));
  return lines.slice(top, top + height);
}

/** The facets with their counts. */
export function facetLines(state: PickerState): Line[] {
  const rows = facetRows(state.held.offers, state.query.filter);
  const lines: Line[] = [];
  let group = "";
  let place = 0;
  for (const [index, row] of rows.entries()) {
    if (row.kind === "value" && row.group !== group) {
      group = row.group;
      lines.push(BLANK, line(`   ${group}`, "muted"));
    }
    if (index === state.facetCursor) {
      place = lines.length;
    }
    lines.push(facetLine(state, row, index === state.facetCursor));
  }
  const title = line(" Facets   digits set a number, Space a value", "muted");
  return [title, ...around(lines, place, listHeight(state) + 1)];
}

function facetLine(state: PickerState, row: FacetRow, isCurrent: boolean): Line {
  const pointer = piece(isCurrent ? " ❯ " : "   ", "accent");
  const role = isCurrent ? "strong" : "plain";
  switch (row.kind) {
    case "number": {
      const text = (isCurrent ? state.facetDraft : undefined) ?? String(row.value ?? "");
      const field = isCurrent ? [piece(text, "strong"), piece(" ", "cursor")] : [piece(text, "strong")];
      return [pointer, piece(fit(row.facet.label, 18), role), piece("[ "), ...field, piece(" ]")];
    }
    case "flag":
      return [pointer, piece(`[${row.isSet ? "x" : " "}] ${row.label}`, role)];
    case "value": {
      const text = `[${row.isSet ? "x" : " "}] ${fit(row.label, 28)} `;
      return [pointer, piece(text, role), piece(countText(row.count).padStart(6), "muted")];
    }
  }
}

/** The choice of columns. */
export function columnLines({ columnCursor, hiddenColumns }: PickerState): Line[] {
  const lines = SCREEN_COLUMNS.map(({ id, title }, index): Line => {
    const isCurrent = index === columnCursor;
    const mark = !HIDEABLE_COLUMNS.includes(id) ? "always" : hiddenColumns.has(id) ? "[ ]   " : "[x]   ";
    return [piece(isCurrent ? " ❯ " : "   ", "accent"), piece(`${mark} ${title}`, isCurrent ? "strong" : "plain")];
  });
  return [line(" Columns   those that do not fit are left out all the same", "muted"), BLANK, ...lines];
}

/** Details, account or help, as far as the screen has room; the last line says when there is more. */
export function readingLines(state: PickerState): Line[] {
  const { columns, length, height, top } = readingLayout(state);
  const lines = readingRows(state).map(state.pane === "help" ? helpLine : readingLine);
  const width = columns === 1 ? state.columns : HELP_WIDTH;
  const shown = Array.from({ length: Math.min(length, height) }, (_, row): Line => {
    const cells = Array.from({ length: columns }, (__, column) => lines[column * length + top + row] ?? BLANK);
    return columns === 1 ? (cells[0] ?? BLANK) : cells.flatMap((cell) => ends(cell, BLANK, width));
  });
  const rest = length - height - top;
  const last = shown.at(-1) ?? BLANK;
  return rest <= 0 ? shown : [...shown.slice(0, -1), ends(last, line(` ↓ ${rest} more `, "accent"), state.columns)];
}

/** Details for the side of the list. */
export function sideLines(state: PickerState): Line[] {
  return detailRows(state, SIDE_PANE_WIDTH - 1).map(readingLine);
}

function readingLine(row: ReadingRow): Line {
  switch (row.kind) {
    case "pair":
      return pair(row.name, row.value);
    case "title":
      return line(` ${row.text}`, "accent");
    case "note":
      return line(` ${row.text}`);
    case "warning":
      return line(` ${row.text}`, "warning");
  }
}

function helpLine(row: ReadingRow): Line {
  return row.kind === "pair" ? [piece(`  ${fit(row.name, 12)} `, "strong"), piece(row.value)] : readingLine(row);
}
