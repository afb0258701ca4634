// Bundles the compiled modules in dist/modules into the programs of dist: a start that reads a few files instead of
// 1,500 takes less than half of the time. The packages stay dependencies, because scanners look for them, except those of
// scripts/packed-manifest.mjs.
import { cpSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "rolldown";
import { thirdPartyLicenses } from "../../scripts/third-party-licenses.mjs";

/** Packages that Nest, Fastify and pg load where an application uses them; this one does not. */
const UNUSED = [
  /^@nestjs\/(?:microservices|websockets|platform-express)/,
  /^@fastify\/(?:ajv-compiler|cors|fast-json-stringify-compiler|multipart|static|view)$/,
  /^class-(?:transformer|validator)/,
  /^(?:pg-cloudflare|pg-native|pino-pretty)$/,
];

// Beside the commands, whose package depends on it.
const LAZY_WIDTH = join(import.meta.dirname, "../admin/lazy-string-width.js");

/**
 * Replaces string-width, which takes a quarter of the time of a command to load: it compiles a pattern of all emoji, and
 * loads Unicode's rules of characters. ASCII text needs neither. In a bundle, a required module is evaluated by the first
 * call.
 */
const lazyWidth = {
  name: "lazy-width",
  resolveId: (id, importer) => (id === "string-width" && importer !== LAZY_WIDTH ? LAZY_WIDTH : null),
  load: (id) =>
    id === LAZY_WIDTH
      ? `export default (text) => /^[\\x20-\\x7e]*$/.test(text) ? text.length : require("string-width").default(text);`
      : null,
};

const { output } = await build({
  cwd: import.meta.dirname,
  input: {
    main: "dist/modules/main.js",
    "admin/main": "dist/modules/admin/main.js",
    "load-worker": "dist/modules/catalog/load-worker.js",
    "live-worker": "dist/modules/live/live-worker.js",
  },
  platform: "node",
  plugins: [lazyWidth],
  // It would remove calls whose results are unused, such as those that only check whether a value can be parsed.
  treeshake: false,
  external: ["better-sqlite3", ...UNUSED],
  onLog(level, log, report) {
    // A package that is missing would only be noticed when it is needed.
    throw level === "warn" || level === "error" ? new Error(`The bundle: ${log.message}`) : report(level, log);
  },
  output: {
    dir: "dist",
    format: "esm",
    // Nest finds providers by their classes, and logs their names.
    keepNames: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  },
});

// build-pages.mjs copies the files of the viewer.
const viewer = createRequire(import.meta.url).resolve("swagger-ui-dist/package.json");
const preact = createRequire(new URL("../web/package.json", import.meta.url)).resolve("preact/package.json");
writeFileSync(
  new URL("dist/THIRD-PARTY-LICENSES.txt", import.meta.url),
  thirdPartyLicenses([viewer, preact, ...output.flatMap(({ moduleIds = [] }) => moduleIds)]),
);

// The page at /.
cpSync(new URL("../web/dist/", import.meta.url), new URL("dist/web/", import.meta.url), { recursive: true });
