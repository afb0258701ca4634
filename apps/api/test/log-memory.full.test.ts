import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { droppedLines, fillLog, serveInto } from "./log-service.ts";

test("a log that is not read uses a bounded amount of memory", { timeout: 300_000 }, async () => {
  // Without a limit, the garbage of requests takes 100 to 250 MB of memory, as V8 decides. With it, the service needs 42 MB
  // of its heap, whatever the number of lines, and its memory varies by less than 10 MB.
  const service = await serveInto("", "--max-old-space-size=64");
  service.process.child.stdout?.pause();
  const memoryMb = (): number => {
    const status = readFileSync(`/proc/${service.process.child.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
  };
  await fillLog(service, 40);
  const before = memoryMb();
  await fillLog(service, 80);
  expect(await droppedLines(service)).toBeGreaterThan(10_000);
  // A service that kept these lines would end, out of memory, or need all of the 80 MB outside its heap.
  expect(memoryMb() - before).toBeLessThan(40);
  expect((await service.stop()).code).toBe(0);
});
