import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PACKAGE_FOLDER } from "./package-folder.js";

// The first module of every program: checks the version of Node, since on an older one a binding would end the process
// without a message, and keeps compiled code from one start to the next.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// commander, which reads the arguments, needs 22.12.
if (major < 22 || (major === 22 && minor < 12)) {
  const isCheckout = existsSync(new URL("../../pnpm-workspace.yaml", PACKAGE_FOLDER));
  process.stderr.write(
    `gpu-offers: this is Node ${process.versions.node}; Node 22.12 or newer is required.${isCheckout ? " npx -y pnpm@12 start brings its own." : ""}\n`,
  );
  process.exit(1);
}
// V8 decides by what survives whether objects of a kind are allocated among the old ones. At the start, while the catalog
// is loaded, nearly everything survives. Objects of requests that were taken for long-lived kept all they refer to until
// the next full collection, and collecting the young ones took 15 to 30 ms instead of 0.6 ms (docs/performance.md).
setFlagsFromString("--no-allocation-site-pretenuring");
// Compiled code, not in Node's default folder, which other users can write to. Services often have no home.
const { HOME, XDG_CACHE_HOME } = process.env;
const cache = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (cache) {
  // A named import would end an older Node before the message.
  module.enableCompileCache?.(join(cache, "gpu-offers"));
}
