import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./leftovers.ts";

// Temporary folders that are removed after the test file.

/** A new, empty folder. */
export function tempFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "gpu-offers-test-"));
  // An ending program may still write there, such as a shell to its history.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** The path of a database file that does not exist yet, in a new folder. */
export function tempDatabase(): string {
  return join(tempFolder(process.env["TEST_SQLITE_FOLDER"]), "catalog.sqlite");
}
