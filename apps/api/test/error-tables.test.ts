import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ERRORS } from "@gpu-offers/domain";
import { expect, test } from "vitest";

// The table of error codes in the docs, from the table of the domain.
// `vitest run --project api error-tables -u` regenerates it.

/** A Markdown table with columns as wide as their longest cell. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  return lines.toSpliced(1, 0, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`).join("\n");
}

test("docs/guides/errors.md has the codes with their statuses and meanings", async () => {
  const file = fileURLToPath(new URL("../../../docs/guides/errors.md", import.meta.url));
  const table = formatTable([
    ["code", "status", "meaning"],
    ...Object.entries(ERRORS).map(([code, { status, meaning }]) => [
      `[${code}](../errors/${code}.md)`,
      String(status),
      meaning,
    ]),
  ]);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^\| code .*\n(?:\|.*\n)+/m);
  await expect(text.replace(/^\| code .*\n(?:\|.*\n)+/m, () => `${table}\n`)).toMatchFileSnapshot(file);
});
