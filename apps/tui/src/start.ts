import { existsSync } from "node:fs";
import module from "node:module";
import { userFolder } from "./user-folder.js";

// Entry point: prints a message before anything is loaded, and caches compiled code. Everything else is in main.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
// commander, which reads the arguments, needs 22.12.
if (major < 22 || (major === 22 && minor < 12)) {
  const isCheckout = existsSync(new URL("../../../pnpm-workspace.yaml", import.meta.url));
  process.stderr.write(
    `gpu-offers: this is Node ${process.versions.node}; Node 22.12 or newer is required.${isCheckout ? " npx -y pnpm@12 pick brings its own." : ""}\n`,
  );
  // The code of invalid usage. The constants aren't loaded yet.
  process.exit(2);
}

/** Arguments that need no screen: scripts, help, subcommands. Other words are values of flags. */
const WITHOUT_SCREEN =
  /^(?:--first|--list|--watch|--id|--help|-h|--version|-V|--accessible|help|list|show|launch|compare|gpus|trend|fit|mcp|man|complete|providers|images|rejected|account|balance|completion)$/;

const needsScreen = !process.argv.slice(2).some((arg) => WITHOUT_SCREEN.test(arg));
if (needsScreen && process.stderr.isTTY && process.env["TERM"] !== "dumb") {
  process.stderr.write(" gpu-offers ...\r");
}
// Not in Node's default folder, which other users can write to.
const folder = userFolder(process.env, "XDG_CACHE_HOME");
if (folder !== undefined) {
  module.enableCompileCache?.(folder);
}
await import("./main.js");
