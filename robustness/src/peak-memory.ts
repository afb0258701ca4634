import { readFileSync, writeFileSync } from "node:fs";

// Loaded into a process by NODE_OPTIONS: on exit, writes the peak memory of the process in kB (Linux) to the file
// PEAK_MEMORY_FILE. getrusage would include the memory of its parent.

process.once("exit", () => {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  writeFileSync(process.env["PEAK_MEMORY_FILE"] ?? "", peak ?? "");
});
