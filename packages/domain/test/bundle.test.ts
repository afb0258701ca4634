import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";
import { build as rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { readme } from "./readme-module.ts";

// The size of each import for a web page, as measured with bundlers.

const root = fileURLToPath(new URL("..", import.meta.url));
const CONDITION = "gpu-offers-source";

/** The README's table: imports, and the maximum size of each. */
const rows = [...readme.matchAll(/^\| ([A-Z][^|`]*?) +\| ([^|]*?) +\| (\d+) kB +\|$/gm)].map(
  ([, title = "", names = "", kb]) => ({ title, names: names.match(/(?<=`)\w+(?=`)/g) ?? [], maximumKb: Number(kb) }),
);

/** A module that uses these names; without any, the whole package. */
function program(names: readonly string[]): string {
  return names.length === 0
    ? 'import * as domain from "@gpu-offers/domain"; globalThis.used = domain;'
    : `import { ${names.join(", ")} } from "@gpu-offers/domain"; globalThis.used = [${names.join(", ")}];`;
}

const bundlers = {
  async esbuild(contents: string): Promise<string> {
    const { outputFiles } = await esbuild({
      stdin: { contents, resolveDir: root },
      bundle: true,
      minify: true,
      format: "esm",
      conditions: [CONDITION],
      write: false,
    });
    return outputFiles.map(({ text }) => text).join("");
  },
  async rolldown(contents: string): Promise<string> {
    const entry = `${root}entry.js`;
    const { output } = await rolldown({
      input: entry,
      cwd: root,
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
  test.each(rows)("uses at most $maximumKb kB for: $title", async ({ names, maximumKb }) => {
    const code = await bundle(program(names));
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(maximumKb * 1000);
    expect(code).toContain("globalThis.used");
  });
});

test("the README lists these sizes", () => {
  const maximumOf = (...names: string[]): number | undefined =>
    rows.find((row) => row.names.join() === names.join())?.maximumKb;
  expect(maximumOf("hourlyCost")).toBe(1);
  expect(maximumOf("matchesOffer", "listComparator", "hourlyCost")).toBe(4);
  expect(maximumOf("composeDeployment")).toBe(4);
  expect(maximumOf("gpuFacts")).toBe(13);
  expect(maximumOf("offerSchema")).toBe(100);
  expect(maximumOf()).toBe(317);
});
