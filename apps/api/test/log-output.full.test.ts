import { spawn } from "node:child_process";
import { openSync, closeSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { droppedLines, fillLog, serveInto } from "./log-service.ts";

// Problems with the log's output must not affect the service.

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

describe("a log that cannot be written", () => {
  test.for(["> /dev/full", "| head -c 10 > /dev/null"])("does not end the service: %s", async (redirection) => {
    const service = await serveInto(redirection.startsWith("|") ? "" : redirection);
    if (redirection.startsWith("|")) {
      service.process.child.stdout?.destroy();
    }
    await fillLog(service, 5);
    expect((await fetchFrom(service, "/health/live")).status).toBe(200);
    expect(await droppedLines(service)).toBeGreaterThan(0);
    const started = performance.now();
    expect((await service.stop()).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test("does not end the service when the reader of standard error is gone as well", async () => {
    const service = await serveInto("> /dev/full");
    service.process.child.stderr?.destroy();
    for (let count = 0; count < 100; count++) {
      expect((await fetchFrom(service, "/api/v1/offers?size=1")).status).toBe(200);
    }
  });

  test("is written again once there is space, with the number of missing lines", async () => {
    // A full file system would need a mount; a pipe without a reader is just as full.
    const fifo = join(tempFolder(), "log");
    await new Promise((resolve) => {
      spawn("mkfifo", [fifo]).once("exit", resolve);
    });
    // Both ends, so that opening doesn't block.
    const hold = openSync(fifo, "r+");
    const service = await serveInto(`> "${fifo}"`);
    await fillLog(service, 5);
    const dropped = await droppedLines(service);
    expect(dropped).toBeGreaterThan(0);
    const reader = spawn("cat", [fifo], { stdio: ["ignore", "pipe", "ignore"] });
    stops.push(service.stop, async () => {
      reader.kill();
      closeSync(hold);
    });
    let text = "";
    reader.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    await expect.poll(() => text.includes("log output works again"), { timeout: 10_000 }).toBe(true);
    const lines = text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { msg: string; dropped?: number });
    const notice = lines.find(({ msg }) => msg.startsWith("log output works again"));
    expect(notice?.dropped).toBeGreaterThanOrEqual(dropped);
  });
});

test("the last lines are written before the process ends", async () => {
  const file = join(tempFolder(), "log");
  const service = await serveInto(`> "${file}"`);
  await fetchFrom(service, "/health/live");
  expect((await service.stop()).code).toBe(0);
  expect(statSync(file).size).toBeGreaterThan(0);
  const messages = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages.slice(-3)).toEqual(["request", "stopping", "stopped"]);
});
