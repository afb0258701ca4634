// Bundles the compiled modules in dist/modules into the programs of dist: a start that reads a few files instead of
// 1,500 takes less than half of the time. The packages stay dependencies: the SQLite binding and the files of the
// documentation page are loaded from them, and scanners and licenses are found there.
import { build } from "rolldown";

/** Packages that Nest, Fastify and pg load where an application uses them; this one does not. */
const UNUSED = [
  /^@nestjs\/(?:microservices|websockets|platform-express)/,
  /^@fastify\/(?:ajv-compiler|cors|fast-json-stringify-compiler|multipart|static|view)$/,
  /^class-(?:transformer|validator)/,
  /^(?:pg-cloudflare|pg-native|pino-pretty)$/,
];

await build({
  cwd: import.meta.dirname,
  input: {
    main: "dist/modules/main.js",
    "admin/main": "dist/modules/admin/main.js",
    "load-worker": "dist/modules/catalog/load-worker.js",
    "live-worker": "dist/modules/live/live-worker.js",
  },
  platform: "node",
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
