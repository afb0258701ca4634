import stringWidth from "string-width";

// Text for people: counts, fields and tables. On a terminal tables fit its width; in a pipe or file nothing is truncated.

type Cell = string | number | null;

/** Columns by their headings: a field of the rows, or a function. Numbers are right-aligned; null is a hyphen. */
export type Columns<Row> = Readonly<
  Record<string, { [Name in keyof Row]: Row[Name] extends Cell ? Name : never }[keyof Row] | ((row: Row) => Cell)>
>;

/** Spaces between two columns. */
const GAP = 2;

/** Minimum width of a flexible column; below it, each row is printed as a block. */
const MIN_FLEXIBLE_WIDTH = 12;

/**
 * Formats rows as a table with headings. If it doesn't fit, flexible columns are truncated; if that isn't enough, each
 * row becomes a block with one line per column, without truncation.
 * @param flexible Headings of columns whose text may be truncated with an ellipsis. Ids, times and numbers never are.
 * @param width Columns of the terminal; by default those of standard output, and no limit if that is not a terminal.
 */
export function formatTable<Row>(
  columns: Columns<Row>,
  rows: readonly Row[],
  flexible: readonly string[] = [],
  width: number = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const titles = Object.keys(columns);
  const values = rows.map((row) => cellsOf(columns, row));
  const cells = values.map((row) => row.map(String));
  const natural = titles.map((title, column) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[column] ?? ""))),
  );
  const widths = fitted(natural, { isFlexible: (column) => flexible.includes(titles[column] ?? ""), width });
  if (widths === undefined) {
    return cells.map((row) => formatFields(titles.map((title, column) => [title, row[column] ?? ""]))).join("\n\n");
  }
  const isNumber = titles.map((_, column) => values.some((row) => typeof row[column] === "number"));
  return [titles, ...cells]
    .map((row) =>
      row
        .map((cell, column) => pad(truncate(cell, widths[column] ?? 0), widths[column] ?? 0, isNumber[column] === true))
        .join(" ".repeat(GAP))
        .trimEnd(),
    )
    .join("\n");
}

/** The cells of a row, as they are shown. */
export function cellsOf<Row>(columns: Columns<Row>, row: Row): (string | number)[] {
  return Object.values(columns).map((cell) => {
    // The fields that a column may name have such values.
    return (typeof cell === "function" ? cell(row) : (row[cell] as Cell)) ?? "-";
  });
}

/** Column widths, with the widest flexible ones truncated first; undefined if the table can't fit. */
function fitted(
  natural: readonly number[],
  { isFlexible, width }: { isFlexible: (column: number) => boolean; width: number },
): number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1) - width;
  while (excess > 0) {
    const [widest] = [...widths.keys()]
      .filter((column) => isFlexible(column) && (widths[column] ?? 0) > MIN_FLEXIBLE_WIDTH)
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) {
      return undefined;
    }
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** A number of things for people: `1 offer`, `12,400 offers`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
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
