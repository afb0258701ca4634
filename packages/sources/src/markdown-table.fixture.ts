import { basename } from "node:path";
import { expect } from "vitest";

// Tables of our Markdown pages that are generated from the code.

/** Rows of a table, starting with its header; each cell is Markdown. */
export type Table = readonly (readonly string[])[];

/**
 * The page with the table between `<!-- name -->` and `<!-- end of name -->` replaced.
 * @throws Error if the page has no such lines.
 */
export function withTable(page: string, name: string, table: Table): string {
  const start = `<!-- ${name} -->\n\n`;
  const end = `\n\n<!-- end of ${name} -->`;
  const [before, rest = ""] = page.split(start, 2);
  const last = rest.indexOf(end);
  if (before === undefined || last < 0) {
    throw new Error(`The page has no lines <!-- ${name} --> and <!-- end of ${name} -->.`);
  }
  return `${before}${start}${formatTable(table)}${rest.slice(last)}`;
}

/**
 * Compares a page with its file, or writes it with -u.
 * @throws Error with the command that writes it; a difference of wide tables would be hundreds of lines.
 */
export async function expectPage(page: string, file: string, command: string): Promise<void> {
  try {
    await expect(page).toMatchFileSnapshot(file);
  } catch {
    // The reason is always the same: the page isn't that of the code
    throw new Error(`The tables of ${basename(file)} are out of date. Run: npx -y pnpm@12 exec ${command}`);
  }
}

/** A Markdown table as oxfmt formats it. */
function formatTable([head = [], ...body]: Table): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...body.map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...body]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`)
    .join("\n");
}
