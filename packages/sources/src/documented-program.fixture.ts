import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { vi } from "vitest";

const MODULES = {
  "@gpu-offers/sources": fileURLToPath(new URL("index.ts", import.meta.url)),
  "@gpu-offers/domain": fileURLToPath(new URL("../../domain/src/index.ts", import.meta.url)),
};

/**
 * Runs a program of our documentation with the sources of this repository.
 * @param files the paths that the program names, and where they are.
 * @returns what it prints: the lines of console.log, then those of console.warn.
 */
export async function runProgram(program: string, files: Readonly<Record<string, string>>): Promise<string> {
  const code = Object.entries({ ...MODULES, ...files }).reduce(
    (text, [name, path]) => text.replaceAll(JSON.stringify(name), JSON.stringify(path)),
    program,
  );
  const folder = mkdtempSync(join(tmpdir(), "gpu-offers-program-"));
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    const file = join(folder, "program.ts");
    writeFileSync(file, code);
    await import(pathToFileURL(file).href);
    return [...log.mock.calls, ...warn.mock.calls].map(([line]) => `${String(line)}\n`).join("");
  } finally {
    log.mockRestore();
    warn.mockRestore();
    rmSync(folder, { recursive: true });
  }
}
