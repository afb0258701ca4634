import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

// Programs of Python packages that only the full tests need, each in an environment of its own in the user's cache.

const CACHE = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "gpu-offers", "python");

/** It installs in seconds what pip takes minutes for. */
const UV = "uv==0.13.9";

/**
 * Installs a package, such as `schemathesis==4.32.5`, for its program; undefined if that fails, for example without Python
 * or a network.
 * @throws Error in CI, where nothing may be skipped.
 */
export function findPythonProgram(requirement: string, program: string): string | undefined {
  const folder = join(CACHE, requirement);
  const bin = join(folder, "bin");
  const done = join(folder, "done");
  if (
    existsSync(done) ||
    (isDone("python3", "-m", "venv", "--clear", folder) &&
      isDone(join(bin, "pip"), "install", UV) &&
      isDone(join(bin, "uv"), "pip", "install", "--python", join(bin, "python"), requirement))
  ) {
    mkdirSync(done, { recursive: true });
    return join(bin, program);
  }
  if (process.env["CI"] !== undefined) {
    throw new Error(`${requirement} could not be installed.`);
  }
  return undefined;
}

const isDone = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore", timeout: 300_000 }).status === 0;
