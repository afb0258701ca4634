import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { readmeModule } from "../src/readme.fixture.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const sourceOf = (entry: string): string => fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url));

/** The entries of the package, and the heading of the README's tables of each. */
const entries = ["index", "gpus", "history", "launching", "paging", "query"];

test("the README's examples have the stated values", async () => {
  const directory = mkdtempSync(join(tmpdir(), "gpu-offers-readme-"));
  try {
    const file = join(directory, "readme.ts");
    const code = readmeModule(readme).replaceAll(/"@gpu-offers\/domain(?:\/(\w+))?"/g, (_, entry: string = "index") =>
      JSON.stringify(sourceOf(entry)),
    );
    writeFileSync(file, code);
    await expect(import(pathToFileURL(file).href)).resolves.toBeDefined();
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("every stated value in the README is checked", () => {
  const claims = readme.match(/\/\/ =>/g) ?? [];
  expect(readmeModule(readme).match(/^deepEqual\(/gm)).toHaveLength(claims.length);
  expect(claims.length).toBeGreaterThan(15);
});

test("the package has these entries", () => {
  const { exports } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    exports: Record<string, unknown>;
  };
  const published = Object.keys(exports).filter((path) => !/fixture|package\.json/.test(path));
  expect(published).toEqual(entries.map((entry) => (entry === "index" ? "." : `./${entry}`)));
});

test.each(entries)("the README's tables list exactly the exports of %s", (entry) => {
  const code = readFileSync(sourceOf(entry), "utf8");
  const listed = [...code.matchAll(/^export (?:type )?\{(.*?)\}/gms)].flatMap(
    ([, names = ""]) => names.match(/\w+(?=,| *$)/gm) ?? [],
  );
  const declared = [...code.matchAll(/^export (?:const|function|class|type|interface) (\w+)/gm)].map(
    ([, name]) => name,
  );
  // A heading with the path of an entry begins its part; the others are of the index.
  const parts = readme.split(/^(?=#+ )/m);
  const own = parts.filter((part) => {
    const path = /^#+ .*`@gpu-offers\/domain\/(\w+)`/.exec(part)?.[1] ?? "index";
    return path === entry;
  });
  const cells = [...own.join("").matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) => cell.match(/\w+/g));
  expect(new Set(cells)).toEqual(new Set([...listed, ...declared]));
  expect(cells).toHaveLength(listed.length + declared.length);
});
