import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { builtProgram } from "./built-program.ts";
import { CACHE_FOLDER } from "./cache-folder.ts";
import { tempDatabase } from "./temp-folder.ts";

// A database with the starter catalog, as after the first start of the service. Filling it is the slowest part of a start,
// so the first one of each build is kept and copied.

/**
 * The path of a new database with the starter catalog.
 * @param fill starts the service on an empty database, and stops it.
 */
export async function starterDatabase(fill: (path: string) => Promise<void>): Promise<string> {
  const kept = join(CACHE_FOLDER, `starter-${statSync(builtProgram("apps/api/dist/main.js")).mtimeMs}.sqlite`);
  if (!existsSync(kept)) {
    const filled = tempDatabase();
    await fill(filled);
    keep(filled, kept);
  }
  const path = tempDatabase();
  copyFileSync(kept, path);
  return path;
}

/** Other processes may do the same at the same time: a rename makes the file appear complete. */
function keep(filled: string, kept: string): void {
  mkdirSync(CACHE_FOLDER, { recursive: true });
  const ofOlderBuilds = readdirSync(CACHE_FOLDER).filter((name) => name.startsWith("starter-") && !kept.endsWith(name));
  for (const name of ofOlderBuilds) {
    rmSync(join(CACHE_FOLDER, name), { force: true });
  }
  const partial = join(CACHE_FOLDER, `filling-${process.pid}.sqlite`);
  copyFileSync(filled, partial);
  renameSync(partial, kept);
}
