import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** A bundle for a web page. */
export interface BundleOptions {
  /** Folder of the package whose imports resolve: `packages/client`. */
  folder: string;
  /** Packages that aren't included. */
  external?: string[];
}

/**
 * Bundles a module for browsers, minified, from the packages' sources.
 * @throws Error if it imports anything that browsers lack, such as `node:stream`.
 */
export async function bundleForBrowser(contents: string, { folder, external = [] }: BundleOptions): Promise<string> {
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
export function sizesIn(readme: string): readonly { names: readonly string[]; maximumKb: number }[] {
  return [...readme.matchAll(/^\| [A-Z][^|`]*? +\| ([^|]*?) +\| (\d+) kB +\|$/gm)].map(([, names = "", kb]) => ({
    names: names.match(/(?<=`)\w+(?=`)/g) ?? [],
    maximumKb: Number(kb),
  }));
}
