/** Rows of texts as columns: the first row is the heading, numbers are to be right-aligned. */
export function formatTable(rows: readonly (readonly (string | number)[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, String(cell).length);
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const isNumber = rows.some((other, index) => index > 0 && typeof other[column] === "number");
          const text = String(cell);
          return isNumber ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
