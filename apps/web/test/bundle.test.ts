import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";

// What the built page weighs. zod would double it, so it must never get in.

const DIST = fileURLToPath(new URL("../dist", import.meta.url));

/** Brotli sizes in kB. The pages of GPUs have all styles in one file. */
const MAXIMUM = { js: 70, css: 7.1 };
/** The script and the styles that the first list waits for. */
const MAXIMUM_FIRST_KB = 30;
const MAXIMUM_STYLES_KB = 2;
/** The page without rows, plain. */
const MAXIMUM_HTML_KB = 1.5;

async function contentOf(suffix: string): Promise<Buffer[]> {
  const names = (await readdir(`${DIST}/assets`)).filter((name) => name.endsWith(suffix));
  expect(names.length).toBeGreaterThan(0);
  return Promise.all(names.map((name) => readFile(`${DIST}/assets/${name}`)));
}

test("scripts and styles are small", async () => {
  for (const [kind, maximum] of Object.entries(MAXIMUM)) {
    const files = await contentOf(`.${kind}`);
    const size = files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0) / 1000;
    expect([kind, size <= maximum, size]).toEqual([kind, true, size]);
  }
  expect((await readFile(`${DIST}/index.html`)).length / 1000).toBeLessThanOrEqual(MAXIMUM_HTML_KB);
});

/** A script and the scripts that it imports statically. */
async function withImports(name: string, found: ReadonlySet<string> = new Set()): Promise<ReadonlySet<string>> {
  if (found.has(name)) {
    return found;
  }
  const text = await readFile(`${DIST}/assets/${name}`, "utf8");
  let all: ReadonlySet<string> = new Set([...found, name]);
  for (const [, imported = ""] of text.matchAll(/\bimport\s*(?:\{[^}]*\}\s*from\s*)?"\.\/([\w-]+\.js)"/g)) {
    all = await withImports(imported, all);
  }
  return all;
}

test("the first list waits for one script, without the words of queries", async () => {
  const html = await readFile(`${DIST}/index.html`, "utf8");
  const [, name = ""] = /<script type="module"[^>]* src="\.\/assets\/([^"]+)"/.exec(html) ?? [];
  const names = [...(await withImports(name))];
  const scripts = await Promise.all(names.map((script) => readFile(`${DIST}/assets/${script}`)));
  const size = scripts.reduce((sum, script) => sum + brotliCompressSync(script).length, 0) / 1000;
  expect(names).toEqual([expect.stringMatching(/^index-/)]);
  expect(size).toBeLessThanOrEqual(MAXIMUM_FIRST_KB);
  const styles = [...html.replace(/<noscript>.*?<\/noscript>/g, "").matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)];
  expect(styles).toHaveLength(1);
  const css = brotliCompressSync(await readFile(`${DIST}/${styles[0]?.[1] ?? ""}`));
  expect(css.length / 1000).toBeLessThanOrEqual(MAXIMUM_STYLES_KB);
  // Figures of GPUs are loaded later
  const figures = "7750 2250";
  expect((await contentOf(".js")).filter((script) => script.includes(figures))).toHaveLength(1);
  expect(scripts.join("")).not.toContain(figures);
});

test("no script has zod, documents of GPUs, an inline script, or a way around the policy", async () => {
  for (const file of await contentOf(".js")) {
    const found = /ZodError|_zod|\$ZodType|nvidia\.com|eval\(|new Function\(/.exec(file.toString());
    expect(found?.[0]).toBeUndefined();
  }
  const html = await readFile(`${DIST}/index.html`, "utf8");
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|style=/);
  expect(html).toContain("<!--first-rows-->");
});
