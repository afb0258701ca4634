import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

// Builds the page into dist: index.html, and files with hashed names, each beside its compressed forms.

/** Writes `.br` and `.gz` beside each file, so that the service compresses nothing. */
function compressed(): Plugin {
  return {
    name: "compressed",
    async closeBundle() {
      const folder = join(import.meta.dirname, "dist");
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isFile() && /\.(?:js|css|png)$/.test(path)) {
          const content = await readFile(path);
          await writeFile(`${path}.br`, brotliCompressSync(content));
          await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
        }
      }
    },
  };
}

/** Imports without Vite's helper, which preloads styles and scripts of a chunk: the page's only one has none. */
function plainImports(): Plugin {
  return {
    name: "plain-imports",
    enforce: "pre",
    load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
  };
}

/** Without scripts, the page of the list has the styles that its script loads later. */
function laterStyles(): Plugin {
  return {
    name: "later-styles",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) => {
        const styles = Object.values(bundle).find((file) => file.type === "asset" && file.names.includes("later.css"));
        return html.replace("<!--later-styles-->", `<link rel="stylesheet" href="./${styles?.fileName ?? ""}" />`);
      },
    },
  };
}

const FIGURES = join(import.meta.dirname, "../../packages/domain/dist/gpu/gpu-figures.facts.js");

/** The figures of GPUs come with `later.ts`: until then they are empty, and queries that need them wait, see `isPlainQuery`. */
function laterFigures(): Plugin {
  return {
    name: "later-figures",
    enforce: "pre",
    resolveId: (id) => (id === "later-figures" ? id : null),
    async load(id) {
      if (id === FIGURES) {
        return "export const figureTexts = []; export const openForms = new Map();";
      }
      return id === "later-figures"
        ? `${(await readFile(FIGURES, "utf8")).replaceAll("export ", "")}
          import * as empty from ${JSON.stringify(FIGURES)};
          empty.figureTexts.push(...figureTexts);
          openForms.forEach((forms, name) => empty.openForms.set(name, forms));`
        : null;
    },
    transform: (code, id) => (id.endsWith("/src/later.ts") ? `import "later-figures";${code}` : null),
  };
}

/** The page names no documents of GPU models; the service's pages do. */
function withoutDocuments(): Plugin {
  return {
    name: "without-documents",
    transform: (code, id) =>
      id.endsWith("/gpus.facts.js") ? code.replace(/(gpuDocuments = )\[[^]*?\n\];/, "$1[];") : null,
  };
}

// Each page is built on its own, so that its script is one file.
export default defineConfig(({ mode }) => ({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2024",
    emptyOutDir: mode !== "gpus",
    rolldownOptions: {
      input: mode === "gpus" ? "gpus.html" : "index.html",
      output: { assetFileNames: "assets/page-[hash][extname]" },
    },
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  plugins: [plainImports(), laterStyles(), laterFigures(), withoutDocuments(), compressed()],
}));
