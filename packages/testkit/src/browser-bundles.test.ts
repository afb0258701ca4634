import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { build } from "esbuild";

// What web pages get of the packages. The domain's own test bundles it with two bundlers.

/** A bundle for a web page. */
interface BundleOptions {
  /** Folder of the package whose imports resolve: `packages/client`. */
  folder: string;
  /** Packages that aren't included. */
  external?: string[];
}

/**
 * Bundles a module for browsers, minified, from the packages' sources.
 * @throws Error if it imports anything that browsers lack, such as `node:stream`.
 */
async function bundleForBrowser(contents: string, { folder, external = [] }: BundleOptions): Promise<string> {
  const resolveDir = fileURLToPath(new URL(`../../../${folder}`, import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: external.length === 0 ? "iife" : "esm",
    platform: "browser",
    conditions: ["gpu-offers-source"],
    external,
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}

/** The rows of a README's table of sizes: what is imported, and its maximum in kB. */
function sizesIn(readme: string): readonly { names: readonly string[]; maximumKb: number }[] {
  return [...readme.matchAll(/^\| [A-Z][^|`]*? +\| ([^|]*?) +\| (\d+) kB +\|$/gm)].map(([, names = "", kb]) => ({
    names: names.match(/(?<=`)\w+(?=`)/g) ?? [],
    maximumKb: Number(kb),
  }));
}

const rowsOf = (folder: string) =>
  sizesIn(readFileSync(new URL(`../../../${folder}/README.md`, import.meta.url), "utf8"));

function program(name: string, names: readonly string[]): string {
  return names.length === 0
    ? `import * as used from "@gpu-offers/${name}"; globalThis.used = used;`
    : `import { ${names.join(", ")} } from "@gpu-offers/${name}"; globalThis.used = [${names.join(", ")}];`;
}

describe("the sizes in the README", () => {
  test("of the client hold without zod, and with it", async () => {
    const folder = "packages/client";
    const maxima = rowsOf(folder).map(({ maximumKb }) => maximumKb);
    expect(maxima).toHaveLength(2);
    expect(maxima[0]).toBe(81);
    const bundles = [
      await bundleForBrowser(program("client", []), { folder, external: ["zod"] }),
      await bundleForBrowser(program("client", []), { folder }),
    ];
    for (const [index, code] of bundles.entries()) {
      expect(Buffer.byteLength(code)).toBeLessThanOrEqual(1000 * (maxima[index] ?? 0));
    }
  });

  test.each(rowsOf("packages/sources"))("of sources hold: $names, $maximumKb kB", async ({ names, maximumKb }) => {
    const code = await bundleForBrowser(program("sources", names), { folder: "packages/sources" });
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(maximumKb * 1000);
  });

  test("of sources have three rows", () => {
    expect(rowsOf("packages/sources")).toHaveLength(3);
  });
});

test("catalogs are read where nothing of Node is", async () => {
  const code = await bundleForBrowser(
    `import { readCatalog } from "@gpu-offers/sources";
    const columns = { provider: { value: "acme" }, gpu: "Card", priceHourly: "USD" };
    globalThis.result = readCatalog('Card,USD\\n"H100 SXM",2.5\\n', { columns });`,
    { folder: "packages/sources" },
  );
  // What every browser has of what is used.
  const page: Record<string, unknown> = { TextDecoder, TextEncoder, URL, crypto };
  runInNewContext(code, Object.assign(page, { globalThis: page }));
  expect(await page["result"]).toMatchObject({ offers: [{ gpu: { slug: "h100-sxm" }, priceHourly: 2.5 }] });
});
