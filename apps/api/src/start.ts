import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { findOpenFilesLimit } from "./open-files.js";
import { PACKAGE_FOLDER } from "./package-folder.js";

// The first module of every program: checks the version of Node and the limit of open files, because older ones and too few
// files end in a crash of native code without a message, and enables the compile cache.

/** The least that a program starts with: modules, threads, the database. */
const MIN_OPEN_FILES = 64;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// commander, which reads the arguments, needs 22.12.
if (major < 22 || (major === 22 && minor < 12)) {
  const isCheckout = existsSync(new URL("../../pnpm-workspace.yaml", PACKAGE_FOLDER));
  process.stderr.write(
    `gpu-offers: this is Node ${process.versions.node}; Node 22.12 or newer is required.${isCheckout ? " npx -y pnpm@12 start brings its own." : ""}\n`,
  );
  process.exit(1);
}
const files = findOpenFilesLimit() ?? MIN_OPEN_FILES;
if (files < MIN_OPEN_FILES) {
  process.stderr.write(
    `gpu-offers: at most ${files} files may be open; ${MIN_OPEN_FILES} are needed. Raise ulimit -n.\n`,
  );
  process.exit(1);
}
// V8 pretenures (allocates in the old generation) kinds of objects that survived earlier. While the catalog loads, nearly
// everything survives, so request objects were pretenured too and kept everything they refer to until the next full
// collection; young collections took 15 to 30 ms instead of 0.6 ms (docs/performance.md).
setFlagsFromString("--no-allocation-site-pretenuring");
// Compiled code, not in Node's default folder, which other users can write to. Services often have no home. Threads only
// see the variable.
const { HOME, XDG_CACHE_HOME } = process.env;
const cache = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (cache) {
  // A named import would end an older Node before the message.
  module.enableCompileCache?.((process.env["NODE_COMPILE_CACHE"] ??= join(cache, "gpu-offers")));
}
