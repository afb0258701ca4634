import { openSync } from "node:fs";
import { noTerminal } from "../exit-codes.js";

/**
 * Opens the terminal of this process, for when its standard streams are redirected.
 * @returns A file descriptor.
 * @throws Failure if there is no terminal.
 */
export function openTty(mode: "r" | "w"): number {
  try {
    return openSync("/dev/tty", mode);
  } catch {
    throw noTerminal();
  }
}
