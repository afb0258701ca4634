import { spawn } from "node:child_process";
import { openSync, closeSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { builtProgram, startCommand } from "@gpu-offers/testkit/running-process";
import { listening, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";

// Problems with the log's output must not affect the service.

/** Starts the service through a shell, with its standard output redirected; `flags` are for Node. */
async function serveInto(redirection: string, flags = ""): Promise<Omit<Service, "databasePath">> {
  const command = `exec "${process.execPath}" ${flags} "${builtProgram("apps/api/dist/main.js")}" ${redirection}`;
  const settings = { PORT: "0", DATABASE_URL: databaseUrlOf(tempDatabase()), LOG_FORMAT: "json" };
  return listening(startCommand("/bin/sh", ["-c", command], settings));
}

const URL_LENGTH = 7_000;
const LONG_PATH = `/api/v1/offers?gpu=${"h".repeat(URL_LENGTH)}`;

/** Sends requests until the service has produced some megabytes of log lines, or counts dropped ones. */
async function fillLog(service: { port: number }, megabytes: number): Promise<void> {
  for (let sent = 0; sent < megabytes * 2 ** 20; sent += 50 * URL_LENGTH) {
    await Promise.all(Array.from({ length: 50 }, () => fetchFrom(service, LONG_PATH)));
  }
}

async function droppedLines(service: { port: number }): Promise<number> {
  const { text } = await fetchFrom(service, "/metrics");
  return Number(/^gpu_offers_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

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
