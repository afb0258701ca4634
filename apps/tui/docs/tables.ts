import { EXIT_MEANINGS } from "../src/output/exit-codes.ts";
import { BINDINGS, CONTEXT_TITLES, CONTEXTS, shortKeys } from "../src/picker/keys.ts";

// The generated parts of docs/picker.md.

/** All keys: those of each context, then those that several contexts share. */
export function keyLists(): string {
  const contextsOf = Map.groupBy(BINDINGS, (binding) =>
    binding.in.map((context) => CONTEXT_TITLES[context]).join(", "),
  );
  const own = Object.values(CONTEXT_TITLES).filter((title) => contextsOf.has(title));
  const shared = [...contextsOf.keys()].filter((title) => !own.includes(title));
  return [...own, ...shared]
    .map((title) => {
      const bindings = contextsOf.get(title) ?? [];
      const name = bindings[0]?.in.length === CONTEXTS.length ? "everywhere" : title;
      const lines = bindings.map(({ keys, help }) => `${code(keys)} ${help}`);
      return lines.length === 1 ? `**${name}**: ${lines[0]}` : `**${name}**\n\n- ${lines.join("\n- ")}`;
    })
    .join("\n\n");
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
