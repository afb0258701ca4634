import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CACHE_FOLDER } from "@gpu-offers/testkit/cache-folder";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// The built program as a process, without any terminal.

/** The bundle that is run. */
export const PROGRAM = fileURLToPath(new URL("../dist/gpu-offers.js", import.meta.url));

if (!existsSync(PROGRAM)) {
  throw new Error(
    "apps/tui/dist/gpu-offers.js is missing: these tests run the built picker. Build it first (pnpm build).",
  );
}

/** How a process ended, and all that it printed. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the program to its end, in a session of its own so that it finds no terminal. It sees the settings, and a folder
 * for compiled code.
 */
export async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], XDG_CACHE_HOME: CACHE_FOLDER, XDG_CONFIG_HOME: tempFolder(), ...settings },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
