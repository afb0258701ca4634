import { readFileSync, writeFileSync } from "node:fs";

// Loaded into a process by NODE_OPTIONS: writes the most memory that the process ever had, in kB (Linux), into
// the file PEAK_MEMORY_FILE when it ends. What getrusage tells would count its parent's memory, too.

process.once("exit", () => {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  writeFileSync(process.env["PEAK_MEMORY_FILE"] ?? "", peak ?? "");
});
