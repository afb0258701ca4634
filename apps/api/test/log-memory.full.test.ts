import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { droppedLines, fillLog, serveInto } from "./log-service.ts";

test("a log that is not read uses a bounded amount of memory", { timeout: 300_000 }, async () => {
  const service = await serveInto("");
  service.process.child.stdout?.pause();
  const memoryMb = (): number => {
    const status = readFileSync(`/proc/${service.process.child.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
  };
  // By then the heap has its usual size under load.
  await fillLog(service, 120);
  const before = memoryMb();
  await fillLog(service, 80);
  expect(await droppedLines(service)).toBeGreaterThan(1_000);
  // A service that kept these lines would need all of the 80 MB.
  expect(memoryMb() - before).toBeLessThan(40);
  expect((await service.stop()).code).toBe(0);
});
