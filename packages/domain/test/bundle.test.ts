import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";
import { build as rolldown } from "rolldown";
import { describe, expect, test } from "vitest";

// The size of each import for a web page, as measured with bundlers.

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const root = fileURLToPath(new URL("..", import.meta.url));
const CONDITION = "gpu-offers-source";

/** The README's table: imports, and the maximum size of each. */
const rows = [...readme.matchAll(/^\| ([A-Z][^|`]*?) +\| ([^|]*?) +\| (\d+) kB +\|$/gm)].map(
  ([, title = "", names = "", kb]) => ({
    title,
    names: names.match(/(?<=`)\w+(?=`)/g) ?? [],
    external: title.endsWith("without zod") ? ["zod"] : [],
    maximumKb: Number(kb),
  }),
);

/** A module that uses these names; without any, the whole package. */
function program(names: readonly string[]): string {
  return names.length === 0
    ? 'import * as domain from "@gpu-offers/domain"; globalThis.used = domain;'
    : `import { ${names.join(", ")} } from "@gpu-offers/domain"; globalThis.used = [${names.join(", ")}];`;
}

const bundlers = {
  async esbuild(contents: string, external: string[]): Promise<string> {
    const { outputFiles } = await esbuild({
      stdin: { contents, resolveDir: root },
      bundle: true,
      minify: true,
      format: "esm",
      conditions: [CONDITION],
      external,
      write: false,
    });
    return outputFiles.map(({ text }) => text).join("");
  },
  async rolldown(contents: string, external: string[]): Promise<string> {
    const entry = `${root}entry.js`;
    const { output } = await rolldown({
      input: entry,
      cwd: root,
      external,
      plugins: [
        {
          name: "entry",
          resolveId: (id) => (id === entry ? entry : null),
          load: (id) => (id === entry ? contents : null),
        },
      ],
      resolve: { conditionNames: [CONDITION, "import", "default"], extensionAlias: { ".js": [".ts", ".js"] } },
      output: { minify: true, format: "esm" },
      write: false,
    });
    return output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  },
};

describe.each(Object.entries(bundlers))("a page built with %s", (_, bundle) => {
  test.each(rows)("uses at most $maximumKb kB for: $title", async ({ names, external, maximumKb }) => {
    const code = await bundle(program(names), external);
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(maximumKb * 1000);
    expect(code).toContain("globalThis.used");
  });
});

test("the README lists these sizes", () => {
  const maxima = rows.map(({ title, names, maximumKb }) => [names.join() || title, maximumKb]);
  expect(Object.fromEntries(maxima)).toMatchObject({
    hourlyCost: 2,
    "matchesOffer,listComparator,hourlyCost": 4,
    composeDeployment: 4,
    gpuFacts: 13,
    offerSchema: 100,
    "cheapestListings,market,compileSearch": 128,
    "Everything, without zod": 176,
  });
});
