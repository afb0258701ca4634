import { readFileSync } from "node:fs";

// What a process uses, as Linux reports it.

/** Processor time since its start in milliseconds, of all threads; Linux counts 10 ms. */
export function processorMs(id: number | undefined): number {
  const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory in MB (2^20 bytes), now and at most. */
export function memoryMb(id: number | undefined): { now: number; peak: number } {
  const status = readFileSync(`/proc/${id}/status`, "utf8");
  const mbOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now: mbOf("VmRSS"), peak: mbOf("VmHWM") };
}
