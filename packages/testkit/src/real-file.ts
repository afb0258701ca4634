import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Real catalog files and recorded responses of other projects. They are not part of the repository: they are in samples/
// (scripts/fetch-samples.mjs), in ../shared, or in the folder given by GPU_OFFERS_SAMPLES.

const root = fileURLToPath(new URL("../../..", import.meta.url));

const folders = [process.env["GPU_OFFERS_SAMPLES"], join(root, "samples"), join(root, "../shared")].filter(
  (folder) => folder !== undefined,
);

/** The path of a real file or folder, such as `data/skypilot-catalog/v8/vast/vms.csv`; undefined if it is absent. */
export function findRealFile(path: string): string | undefined {
  return folders.map((folder) => join(folder, path)).find(existsSync);
}
