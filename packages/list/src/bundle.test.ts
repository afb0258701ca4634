import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

// A page bundles this package with its share of the domain; the sizes are limits for all of it.

const MAXIMUM_KB = 72;
const MAXIMUM_BROTLI_KB = 22.5;

test("bundles for a browser, without zod and Node.js modules", async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: 'import * as list from "@gpu-offers/list"; globalThis.used = list;',
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    },
    bundle: true,
    minify: true,
    platform: "browser",
    format: "esm",
    conditions: ["gpu-offers-source"],
    metafile: true,
    write: false,
  });
  const code = outputFiles.map(({ text }) => text).join("");
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  expect(used.filter((path) => path.includes("node_modules"))).toEqual([]);
  expect(code).not.toMatch(/\b(?:process|Buffer|document|window)\./);
  expect(Buffer.byteLength(code) / 1000).toBeLessThanOrEqual(MAXIMUM_KB);
  expect(brotliCompressSync(code).length / 1000).toBeLessThanOrEqual(MAXIMUM_BROTLI_KB);
});
