import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtProgram } from "./built-program.ts";
import { tempDatabase } from "./temp-folder.ts";

// A database with the starter catalog, as after the first start of the service. Filling it is the slowest part of a start,
// so the first one of each build is kept and copied.

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/gpu-offers/", import.meta.url));

/**
 * The path of a new database with the starter catalog.
 * @param fill starts the service on an empty database, and stops it.
 */
export async function starterDatabase(fill: (path: string) => Promise<void>): Promise<string> {
  const kept = join(CACHE, `starter-${statSync(builtProgram("apps/api/dist/main.js")).mtimeMs}.sqlite`);
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
  mkdirSync(CACHE, { recursive: true });
  const ofOlderBuilds = readdirSync(CACHE).filter((name) => name.startsWith("starter-") && !kept.endsWith(name));
  for (const name of ofOlderBuilds) {
    rmSync(join(CACHE, name), { force: true });
  }
  const partial = join(CACHE, `filling-${process.pid}.sqlite`);
  copyFileSync(filled, partial);
  renameSync(partial, kept);
}
