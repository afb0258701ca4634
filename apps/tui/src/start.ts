import module from "node:module";
import { setFlagsFromString } from "node:v8";

// The very first lines: a word on the screen before anything is loaded, and compiled code kept from one start to the
// next. Everything else is in main.

const OLDEST_NODE = 22;

if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
  process.stderr.write(
    `gpu-offers: this is Node ${process.versions.node}; Node ${OLDEST_NODE} or newer is required. npx -y pnpm@12 pick brings its own.\n`,
  );
  // As wrong usage: nothing is loaded yet that could name the code.
  process.exit(2);
}

/** Arguments that say that no screen is wanted: scripts, help, sub-commands. Other words are values of flags. */
const WITHOUT_SCREEN =
  /^(?:--first|--list|--watch|--id|--help|-h|--version|-V|--accessible|help|show|compare|mcp|man|complete|providers|images|rejected|account|balance|completion)$/;

if (
  process.stderr.isTTY &&
  process.env["TERM"] !== "dumb" &&
  !process.argv.slice(2).some((arg) => WITHOUT_SCREEN.test(arg))
) {
  process.stderr.write(" gpu-offers ...\r");
}
// What a picker makes is mostly thrown away at once. By itself V8 lets the space for it grow to 64 MB and does not give
// that back; the two spaces of 1 MB that it begins with do as well.
setFlagsFromString("--semi-space-growth-factor=1");
// What lives longer is collected before it takes much more: without this, a list of 50,000 offers that was read again
// four times took 430 MB, with it 190 MB. It costs a third more of the processor's time while so many are loaded.
setFlagsFromString("--optimize-for-size");
// Nor does it give back the 15 MB that it takes to optimize fetch's parser and Ink's layout, which are WebAssembly and
// quick enough without.
setFlagsFromString("--wasm-tiering-budget=1000000000");
module.enableCompileCache?.();
await import("./main.js");
