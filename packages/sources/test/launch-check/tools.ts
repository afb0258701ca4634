import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

// Other projects' tools, each in an environment of its own in the user's cache, at a pinned version.

const run = promisify(execFile);

const CACHE = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "gpu-offers", "launch-check");

const UV = "uv==0.13.9";

/** Why a tool can't be asked here. */
export class Missing extends Error {}

/**
 * The Python of an environment that has a package, installed at first.
 * @throws Missing without Python, or without a package index outside CI.
 */
export async function pythonWith(requirement: string): Promise<string> {
  const folder = join(CACHE, requirement.replaceAll(/[^\w.-]+/g, "_"));
  const python = join(folder, "bin", "python");
  if (existsSync(join(folder, "done"))) {
    return python;
  }
  try {
    await run("python3", ["--version"]);
  } catch {
    throw new Missing("there is no python3");
  }
  try {
    const uv = await installUv();
    await run(uv, ["-q", "venv", "--clear", "-p", "python3", folder]);
    await run(uv, ["-q", "pip", "install", "--python", python, requirement], { timeout: 600_000 });
    mkdirSync(join(folder, "done"));
    return python;
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 300) : String(error);
    // What is missing where packages can be installed is a mistake.
    if (await hasIndex()) {
      throw new Error(`${requirement} could not be installed: ${why}`, { cause: error });
    }
    throw new Missing(`${requirement} could not be installed: ${why}`);
  }
}

async function installUv(): Promise<string> {
  const folder = join(CACHE, UV);
  const uv = join(folder, "bin", "uv");
  if (!existsSync(uv)) {
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin", "pip"), ["-q", "install", UV], { timeout: 300_000 });
  }
  return uv;
}

async function hasIndex(): Promise<boolean> {
  try {
    await run("python3", ["-m", "pip", "download", "-q", "--no-deps", "-d", join(CACHE, "probe"), "six"], {
      timeout: 60_000,
    });
    return true;
  } catch {
    return false;
  }
}

/** Sends lines of JSON to a program of Python, and returns the lines that it prints, as JSON. */
export async function ask(
  python: string,
  args: readonly string[],
  lines: readonly unknown[],
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown[]> {
  const child = spawn(python, args, {
    env: { PATH: process.env["PATH"], HOME: homedir(), ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (text: Buffer) => (errors = `${errors}${text.toString()}`.slice(-3000)));
  child.stdin.on("error", () => undefined);
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const printed: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    printed.push(JSON.parse(line));
  }
  const code = child.exitCode ?? (await new Promise((resolve) => child.once("exit", resolve)));
  if (code !== 0) {
    throw new Error(`${args.join(" ")} ended with ${String(code)}: ${errors}`);
  }
  return printed;
}
