import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { atEnd } from "./leftovers.ts";

// The built programs as separate processes. Those that a test leaves running are ended after its file.

/** A folder for what tests keep from one run to the next. */
export const CACHE_FOLDER = fileURLToPath(new URL("../../../node_modules/.cache/gpu-offers", import.meta.url));

/**
 * The path of a built program, such as `apps/api/dist/main.js`, relative to the root of the repository.
 * @throws Error if the build is missing.
 */
export function builtProgram(path: string): string {
  const program = fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  if (!existsSync(program)) {
    throw new Error(`${path} is missing. Build it first: pnpm build`);
  }
  return program;
}

/** How a process ended, and everything it printed. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunningProcess {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<Ended>;
}

/** Options of a process besides its arguments and settings. */
export interface ProcessOptions {
  cwd?: string;
  /** Additional environment variables. */
  settings?: Readonly<Record<string, string>>;
  /** The user that runs it, if not the one that runs the tests. */
  user?: { uid: number; gid: number };
  /** Its whole standard input, or `open`: the test writes to it. */
  stdin?: { all: string } | "open";
  /** Its standard output is discarded, because reading it takes processor time. */
  isQuiet?: boolean;
  /** It finds no terminal, and signals of the terminal don't reach it. */
  hasOwnSession?: boolean;
}

/**
 * Starts a built program: `main.js` or `admin/main.js`. Its environment contains only the settings and a folder for
 * compiled code.
 * @throws Error if the build is missing.
 */
export function startProcess(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  options: ProcessOptions = {},
): RunningProcess {
  return startCommand(process.execPath, [builtProgram(`apps/api/dist/${program}`), ...args], settings, options);
}

/**
 * Starts a script, such as `new URL("./writer.ts", import.meta.url)`. Its environment contains only PATH and a folder for
 * compiled code.
 */
export function startScript(script: URL, args: readonly string[], options: ProcessOptions = {}): RunningProcess {
  return startCommand(process.execPath, [fileURLToPath(script), ...args], {}, options);
}

/** Starts any program; its environment contains only PATH, a folder for compiled code, and the settings. */
export function startCommand(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  options: ProcessOptions = {},
): RunningProcess {
  const child = spawn(program, [...args], {
    env: { PATH: process.env["PATH"], XDG_CACHE_HOME: CACHE_FOLDER, ...settings, ...options.settings },
    stdio: [options.stdin === undefined ? "ignore" : "pipe", options.isQuiet === true ? "ignore" : "pipe", "pipe"],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...options.user,
    detached: options.hasOwnSession === true,
  });
  const exited = once(child, "exit");
  const forget = atEnd(() => {
    child.kill("SIGKILL");
    return exited;
  });
  child.once("exit", forget);
  const printed: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => (printed[name] += text));
  }
  // A program that rejects its arguments does not read its input.
  child.stdin?.on("error", () => {});
  if (typeof options.stdin === "object") {
    child.stdin?.end(options.stdin.all);
  }
  return {
    child,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended: once(child, "close").then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      ...printed,
    })),
  };
}
