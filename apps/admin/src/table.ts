import stringWidth from "string-width";

// Text tables. On a terminal they fit its width; in a pipe or file nothing is truncated.

/** One column of a table: its heading, and the cell of a row. Numbers are right-aligned. */
export interface Column<Row> {
  title: string;
  cell: (row: Row) => string | number;
  /** Whether the text may be truncated with an ellipsis. Ids, times and numbers never are. */
  isFlexible?: true;
}

/** Spaces between two columns. */
const GAP = 2;

/** Minimum width of a flexible column; below it, each row is printed as a block. */
const MIN_FLEXIBLE_WIDTH = 12;

/**
 * Formats rows as a table with headings. If it doesn't fit, flexible columns are truncated; if that isn't enough, each
 * row becomes a block with one line per column, without truncation.
 * @param width Columns of the terminal; by default those of standard output, and no limit if that is not a terminal.
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const cells = rows.map((row) => columns.map(({ cell }) => String(cell(row))));
  const natural = columns.map(({ title }, column) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[column] ?? ""))),
  );
  const widths = fitted(columns, natural, width);
  if (widths === undefined) {
    return formatBlocks(columns, cells);
  }
  const isNumber = columns.map(({ cell }) => rows.some((row) => typeof cell(row) === "number"));
  return [columns.map(({ title }) => title), ...cells]
    .map((row) =>
      row
        .map((cell, column) => pad(truncate(cell, widths[column] ?? 0), widths[column] ?? 0, isNumber[column] === true))
        .join(" ".repeat(GAP))
        .trimEnd(),
    )
    .join("\n");
}

/** Column widths, with the widest flexible ones truncated first; undefined if the table can't fit. */
function fitted<Row>(columns: readonly Column<Row>[], natural: readonly number[], width: number): number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, one) => sum + one, 0) + GAP * (columns.length - 1) - width;
  while (excess > 0) {
    let widest: number | undefined;
    for (const [column, { isFlexible }] of columns.entries()) {
      const own = widths[column] ?? 0;
      if (isFlexible && own > MIN_FLEXIBLE_WIDTH && (widest === undefined || own > (widths[widest] ?? 0))) {
        widest = column;
      }
    }
    if (widest === undefined) {
      return undefined;
    }
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function formatBlocks<Row>(columns: readonly Column<Row>[], cells: readonly (readonly string[])[]): string {
  return cells.map((row) => formatFields(columns.map(({ title }, column) => [title, row[column] ?? ""]))).join("\n\n");
}

/** Formats one object as lines of names and aligned values. */
export function formatFields(fields: readonly (readonly [name: string, value: string | number])[]): string {
  const width = Math.max(...fields.map(([name]) => stringWidth(name)));
  return fields.map(([name, value]) => `${pad(name, width, false)}  ${value}`.trimEnd()).join("\n");
}

function pad(text: string, width: number, isNumber: boolean): string {
  const padding = " ".repeat(Math.max(0, width - stringWidth(text)));
  return isNumber ? padding + text : text + padding;
}

/** Truncates text to `width` terminal columns, with an ellipsis. */
function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) {
    return text;
  }
  let cut = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (stringWidth(cut + segment) > width - 1) {
      break;
    }
    cut += segment;
  }
  return `${cut}…`;
}
