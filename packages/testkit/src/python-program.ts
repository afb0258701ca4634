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
  const done = join(folder, "done");
  if (existsSync(done) || install(requirement, folder)) {
    mkdirSync(done, { recursive: true });
    return join(folder, "bin", program);
  }
  if (process.env["CI"] !== undefined) {
    throw new Error(`${requirement} could not be installed.`);
  }
  return undefined;
}

function install(requirement: string, folder: string): boolean {
  const uv = join(CACHE, UV, "bin", "uv");
  const hasUv =
    existsSync(uv) ||
    (isDone("python3", "-m", "venv", join(CACHE, UV)) && isDone(join(CACHE, UV, "bin", "pip"), "install", UV));
  const python = join(folder, "bin", "python");
  return (
    hasUv &&
    isDone(uv, "venv", "--clear", "-p", "python3", folder) &&
    isDone(uv, "pip", "install", "--python", python, requirement)
  );
}

const isDone = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore", timeout: 300_000 }).status === 0;
