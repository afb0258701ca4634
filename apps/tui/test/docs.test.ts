import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileSearch, findGpuModel, type Offer } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import { EXIT_MEANINGS } from "../src/exit-codes.ts";
import { BINDINGS, CONTEXT_TITLES, CONTEXTS, shortKeys } from "../src/picker/keys.ts";
import { runInProcess } from "./in-process.ts";
import { withPart } from "./page-part.ts";

const PAGE = fileURLToPath(new URL("../../../docs/picker.md", import.meta.url));
const page = readFileSync(PAGE, "utf8");

test("docs/picker.md has the keys and exit codes that the program has", async () => {
  const exitCodes = markdownTable(["code", "meaning"], EXIT_MEANINGS);
  await expect(withPart(withPart(page, "keys", keyLists()), "exit codes", exitCodes)).toMatchFileSnapshot(PAGE);
});

test("the searches in docs/picker.md find some offers of the starter catalog, and not all", async () => {
  const starter = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));
  const { stdout } = await runInProcess(["--list", "--format", "ndjson", "--catalog", starter]);
  const offers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Offer);
  const [, section = ""] = /\n## Searching\n(.*?)\n## /s.exec(page) ?? [];
  const cells = [...section.matchAll(/^\| (`.*`) +\| /gm)].map(([, cell = ""]) => cell.replaceAll("\\|", "|"));
  const searches = cells.flatMap((cell) => cell.split(/`[,;` ]*/).filter((search) => search !== ""));
  expect(searches).toHaveLength(58);
  const found = searches.map((search) => offers.filter(compileSearch(search).among(offers)).length);
  // Budgets and models are filters of their own, images are those of providers, an order leaves all, and the sample states no stock.
  const beyond = ["$50 for the weekend", "runs llama 70b", "available", "verified hosts", "most vram", "cuda 12"];
  expect(searches.filter((_, index) => [0, offers.length].includes(found[index] ?? 0))).toEqual(beyond);
});

test("help and docs use GPUs that exist in their examples", async () => {
  const help = (await runInProcess(["--help"])).stdout;
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const examples = [...`${help}${page}${readme}`.matchAll(/(?:--gpu |[?&]gpu=)([a-z\d,-]+)/g)];
  const slugs = new Set(examples.flatMap(([, list = ""]) => list.split(",")));
  expect(slugs.size).toBeGreaterThan(3);
  expect([...slugs].filter((slug) => findGpuModel(slug) === undefined)).toEqual([]);
});

/** All keys: those of each context, then those that several contexts share. */
function keyLists(): string {
  const contextsOf = Map.groupBy(BINDINGS, (binding) =>
    inText(binding.in.map((context) => CONTEXT_TITLES[context]).join(", ")),
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

/** Contexts by the names of their groups, which are shorter. */
function inText(titles: string): string {
  const all = Object.values(CONTEXT_TITLES);
  return titles === all.filter((title) => title !== "filter field" && title !== "help").join(", ")
    ? "everywhere but in the filter field"
    : titles.replace("details, account, launch texts, compare, help", "panes").replace("reading, panes", "panes");
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
