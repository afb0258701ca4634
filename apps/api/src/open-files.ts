import { readFileSync } from "node:fs";

/** How many files this process may have open; undefined where the system does not say (it is not Linux), or no limit. */
export function findOpenFilesLimit(limits = readLimits()): number | undefined {
  const soft = /^Max open files\s+(\d+)\s/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
