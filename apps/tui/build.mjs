import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { thirdPartyLicenses } from "../../scripts/third-party-licenses.mjs";

// Bundles the picker into a few files: an unbundled one spends half of its start loading hundreds of modules. Modules
// that only the screen needs are a chunk of their own, so that scripts don't load them.

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** Leaves out React's developer tools, which Ink loads if DEV=true. */
const withoutDevtools = {
  name: "without-devtools",
  resolveId: (id) => (id === "react-devtools-core" ? "\0no-devtools" : null),
  load: (id) => (id === "\0no-devtools" ? "export default {}" : null),
};

const STRING_WIDTH = fileURLToPath(new URL("bundled/string-width.js", import.meta.url));

/** Replaces string-width by a module that imports it itself. */
const lazyStringWidth = {
  name: "lazy-string-width",
  resolveId: (id, importer) => (id === "string-width" && importer !== STRING_WIDTH ? STRING_WIDTH : null),
};

const ROW_OUTPUT = fileURLToPath(new URL("bundled/row-output.ts", import.meta.url));

/** Replaces what Ink composes frames with. */
const rowOutput = {
  name: "row-output",
  resolveId: (id, importer) =>
    id === "./output.js" && importer?.endsWith("/ink/build/renderer.js") ? ROW_OUTPUT : null,
};

/**
 * Hides `fetch` from Yoga, which would use it to load the WebAssembly embedded in its source. Loading `fetch` takes 40 ms
 * of processor time and 7 MB. Without it, Yoga decodes the source itself.
 */
const yogaWithoutFetch = {
  name: "yoga-without-fetch",
  transform: (code, id) => (id.endsWith("/yoga-wasm-base64-esm.js") ? `const fetch = undefined;\n${code}` : null),
};

const options = {
  cwd: import.meta.dirname,
  input: { "gpu-offers": "src/start.ts", "write-starter": "src/catalog/write-starter.ts" },
  platform: "node",
  plugins: [withoutDevtools, lazyStringWidth, rowOutput, yogaWithoutFetch],
  resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
  transform: {
    inject: { "Intl.Segmenter": [fileURLToPath(new URL("bundled/segmenter.ts", import.meta.url)), "Segmenter"] },
    define: {
      "process.env.NODE_ENV": '"production"',
      "process.env.GPU_OFFERS_VERSION": JSON.stringify(version),
      "process.env.GPU_OFFERS_STARTER": '"starter.json"',
    },
  },
  logLevel: "warn",
  output: {
    dir: "dist",
    cleanDir: true,
    chunkFileNames: "[name].js",
    format: "esm",
    minify: true,
    banner: "#!/usr/bin/env node",
  },
};

function importedBy(name, chunks) {
  const { imports = [] } = chunks.find(({ fileName }) => fileName === name) ?? {};
  const own = chunks.filter(({ fileName }) => imports.includes(fileName)).flatMap(({ moduleIds }) => moduleIds);
  return own.concat(imports.flatMap((other) => importedBy(other, chunks)));
}

// What is always loaded is one chunk. By default its parts that other chunks share are thirty, which take a tenth of the
// processor time until the first rows.
const { output: apart } = await build({ ...options, write: false });
const [first, always] = ["gpu-offers.js", "main.js"].map((name) => new Set(importedBy(name, apart)));
options.output.codeSplitting = {
  groups: [
    { name: "first", test: (id) => first.has(id), priority: 1 },
    { name: "always", test: (id) => always.has(id) },
  ],
};
const { output } = await build(options);

writeFileSync(
  new URL("dist/THIRD-PARTY-LICENSES.txt", import.meta.url),
  thirdPartyLicenses(output.flatMap(({ moduleIds = [] }) => moduleIds)),
);

const built = (name) => fileURLToPath(new URL(`dist/${name}`, import.meta.url));
const run = (...args) => execFileSync(process.execPath, args, { cwd: import.meta.dirname });

// The starter catalog, for a start without a server.
run(built("write-starter.js"), "../api/catalog/starter.json", built("starter.json"));
rmSync(built("write-starter.js"));

// The manual page, which the program itself prints.
mkdirSync(new URL("man", import.meta.url), { recursive: true });
writeFileSync(new URL("man/gpu-offers.1", import.meta.url), run(built("gpu-offers.js"), "man"));
