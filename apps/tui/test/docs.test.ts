import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compileSearch, findGpuModel, type Offer } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import { exitTable, keyLists } from "../docs/tables.ts";
import { run } from "./program.ts";

const page = readFileSync(new URL("../../../docs/picker.md", import.meta.url), "utf8");

test("docs/picker.md has the keys that the picker has", () => {
  expect(page).toContain(keyLists());
});

test("docs/picker.md has the exit codes that the program has", () => {
  expect(page).toContain(exitTable());
});

test("the searches in docs/picker.md find some offers of the starter catalog, and not all", async () => {
  const starter = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));
  const { stdout } = await run(["--list", "--format", "ndjson", "--catalog", starter]);
  const offers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Offer);
  const [, section = ""] = /\n## Searching\n(.*?)\n## /s.exec(page) ?? [];
  const cells = [...section.matchAll(/^\| (`.*`) +\| /gm)].map(([, cell = ""]) => cell.replaceAll("\\|", "|"));
  const searches = cells.flatMap((cell) => cell.split(/`[,;` ]*/).filter((search) => search !== ""));
  expect(searches).toHaveLength(58);
  const found = searches.map((search) => offers.filter(compileSearch(search).among(offers)).length);
  // Images are those of providers, not of an offer.
  const beyond = ["ubuntu 22.04 cuda 12"];
  expect(searches.filter((_, index) => [0, offers.length].includes(found[index] ?? 0))).toEqual(beyond);
});

test("help and docs use GPUs that exist in their examples", async () => {
  const help = (await run(["--help"])).stdout;
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const examples = [...`${help}${page}${readme}`.matchAll(/(?:--gpu |[?&]gpu=)([a-z\d,-]+)/g)];
  const slugs = new Set(examples.flatMap(([, list = ""]) => list.split(",")));
  expect(slugs.size).toBeGreaterThan(3);
  expect([...slugs].filter((slug) => findGpuModel(slug) === undefined)).toEqual([]);
});
