import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startCommand } from "./running-process.ts";
import { tempFolder } from "./temp-folder.ts";

// Package programs that only the full tests need. They are not dependencies of the repository, so they are installed only
// for these tests.

/**
 * Installs a package, such as `@modelcontextprotocol/inspector@2.12.0`, for its command; undefined if that fails, for
 * example without a network. Scripts of the package do not run.
 */
export function findPackageCommand(specifier: string, command: string) {
  const program = findPackageProgram(specifier, command);
  return program === undefined
    ? undefined
    : { run: (...args: string[]) => startCommand(process.execPath, [program, ...args], { HOME: tempFolder() }).ended };
}

/** The file of such a command, for binaries. */
export function findPackageProgram(specifier: string, command: string): string | undefined {
  const folder = findPackages([specifier]);
  return folder === undefined ? undefined : join(folder, "node_modules/.bin", command);
}

/** A folder with these packages installed; undefined if that fails. Do not write to it. */
export function findPackages(specifiers: readonly string[]): string | undefined {
  const folder = join(tmpdir(), "gpu-offers-tools", specifiers.join("+").replaceAll(/[^\w.@+-]/g, "_"));
  return isInstalled(folder) || install(specifiers, folder) ? folder : undefined;
}

function isInstalled(folder: string): boolean {
  return existsSync(join(folder, "node_modules"));
}

/** Installs into a temporary folder and renames it, so that a broken installation is never used. */
function install(specifiers: readonly string[], folder: string): boolean {
  const fresh = mkdtempSync(join(tmpdir(), "gpu-offers-install-"));
  try {
    writeFileSync(join(fresh, "package.json"), '{ "private": true }');
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", ...specifiers];
    const { status } = spawnSync("npm", args, { cwd: fresh, stdio: "ignore", shell: process.platform === "win32" });
    if (status !== 0) {
      return false;
    }
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(fresh, folder);
    return true;
  } catch (error) {
    // Another process may have installed the same at the same time.
    if (isInstalled(folder)) {
      return true;
    }
    throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
