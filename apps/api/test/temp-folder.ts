import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// Folders that are gone when the test file that made them is done.

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A new, empty folder. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gpu-offers-test-"));
  folders.push(folder);
  return folder;
}

/** The path of a database file that does not exist yet, in a folder of its own. */
export function tempDatabase(): string {
  return join(tempFolder(), "catalog.sqlite");
}
