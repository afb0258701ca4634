import { readFileSync } from "node:fs";

/** The process's limit of open files; undefined if there is none, or if it is unknown (not Linux). */
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
