import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import { PACKAGE_FOLDER } from "./package-folder.js";

// The first module of every program: checks the version of Node, since on an older one a binding would end the process
// without a message, and keeps compiled code from one start to the next.

const OLDEST_MAJOR = 22;

if (Number(process.versions.node.split(".")[0]) < OLDEST_MAJOR) {
  const isCheckout = existsSync(new URL("../../pnpm-workspace.yaml", PACKAGE_FOLDER));
  process.stderr.write(
    `gpu-offers: this is Node ${process.versions.node}; Node ${OLDEST_MAJOR} or newer is required.${isCheckout ? " npx -y pnpm@12 start brings its own." : ""}\n`,
  );
  process.exit(1);
}
// Compiled code, not in Node's default folder, which other users can write to. Services often have no home.
const { HOME, XDG_CACHE_HOME } = process.env;
const cache = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
if (cache) {
  // A named import would end an older Node before the message.
  module.enableCompileCache?.(join(cache, "gpu-offers"));
}
