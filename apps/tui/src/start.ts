import { enableCompileCache } from "node:module";

// The very first lines: a word on the screen before anything is loaded, and compiled code kept from one start to the
// next. Everything else is in main.

/** Arguments that say that no screen is wanted: scripts, sub-commands, help. */
const WITHOUT_SCREEN = /^(?:--first|--list|--watch|--help|-h|--accessible|[a-z]+)$/;

if (
  process.stderr.isTTY &&
  process.env["TERM"] !== "dumb" &&
  !process.argv.slice(2).some((arg) => WITHOUT_SCREEN.test(arg))
) {
  process.stderr.write(" gpu-offers ...\r");
}
enableCompileCache?.();
await import("./main.js");
