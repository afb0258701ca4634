import { EXIT_MEANINGS } from "../src/output/exit-codes.ts";
import { BINDINGS, CONTEXT_TITLES, CONTEXTS, shortKeys } from "../src/picker/keys.ts";

// The generated parts of docs/picker.md.

/** All keys by context. */
export function keyTable(): string {
  const rows = CONTEXTS.flatMap((context) =>
    BINDINGS.filter((binding) => binding.in.includes(context) && binding.in.length < CONTEXTS.length).map(
      ({ keys, help }, index) => [index === 0 ? CONTEXT_TITLES[context] : "", code(keys), help],
    ),
  );
  const shared = BINDINGS.filter((binding) => binding.in.length === CONTEXTS.length).map(({ keys, help }, index) => [
    index === 0 ? "everywhere" : "",
    code(keys),
    help,
  ]);
  return markdownTable(["where", "keys", "action"], [...rows, ...shared]);
}

/** All exit codes. */
export function exitTable(): string {
  return markdownTable(["code", "meaning"], EXIT_MEANINGS);
}

function code(keys: readonly string[]): string {
  return `\`${shortKeys(keys)}\``;
}

/** A table as the formatter leaves it: cells padded to the width of their column. */
function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(titles), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

/** The page with the text between the markers of a part replaced. */
export function withPart(page: string, part: string, text: string): string {
  const [begin, end] = [`<!-- ${part} -->`, `<!-- end of ${part} -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) {
    throw new Error(`docs/picker.md has no part "${part}".`);
  }
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
