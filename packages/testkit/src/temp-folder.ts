import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./leftovers.ts";

// Folders that are gone when the test file that made them is done.

/** A new, empty folder. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "gpu-offers-test-"));
  // A program that is being ended may still write there, as a shell does with its history.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** The path of a database file that does not exist yet, in a folder of its own. */
export function tempDatabase(): string {
  return join(tempFolder(), "catalog.sqlite");
}
