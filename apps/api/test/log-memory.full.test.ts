import { expect, test } from "vitest";
import { droppedLines, fillLog, serveInto } from "./log-service.ts";

test("a log that is not read takes a bounded amount of memory", { timeout: 120_000 }, async () => {
  // Less than the lines of this test need: a service that kept them would run out of memory.
  const service = await serveInto("", "--max-old-space-size=80");
  service.process.child.stdout?.pause();
  await fillLog(service, 80);
  expect(await droppedLines(service)).toBeGreaterThan(1_000);
  expect((await service.stop()).code).toBe(0);
});
