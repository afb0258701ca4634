import { existsSync, globSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { databaseUrlOf } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { builtProgram, startCommand } from "@gpu-offers/testkit/running-process";
import { listening, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";

// Changes the wall clock of a running service (libfaketime). Durations must not be affected.

const [library = ""] = globSync("/usr/lib/*/faketime/libfaketime.so.1");
const DAYS_MS = 86_400_000;

/** A service whose wall clock follows a file; its monotonic clock is the real one. */
async function startWithClock(settings: Record<string, string>): Promise<{
  service: Omit<Service, "databasePath">;
  step: (ms: number) => Promise<void>;
}> {
  const file = join(tempFolder(), "clock");
  const write = (ms: number): void => {
    writeFileSync(file, `${ms < 0 ? "-" : "+"}${Math.abs(ms) / 1_000}`);
    utimesSync(file, new Date(), new Date());
  };
  write(0);
  const running = startCommand(process.execPath, [builtProgram("apps/api/dist/main.js")], {
    PORT: "0",
    DATABASE_URL: databaseUrlOf(tempDatabase()),
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    ...settings,
  });
  const service = await listening(running);
  return {
    service,
    step: async (ms) => {
      write(ms);
      // The Date header is updated once per second.
      const stepped = async (): Promise<number> =>
        Date.parse((await fetchFrom(service, "/health/live")).headers.date ?? "") - Date.now();
      await vi.waitFor(async () => expect(Math.abs((await stepped()) - ms)).toBeLessThan(60_000), { timeout: 10_000 });
    },
  };
}

test.skipIf(!existsSync(library)).concurrent.for([
  ["back by three days", -3 * DAYS_MS],
  ["forward by three days", 3 * DAYS_MS],
] as const)(
  "a clock change (%s) locks no caller out and makes nothing stale",
  { timeout: 120_000 },
  async ([, stepMs]) => {
    const { service, step } = await startWithClock({ RATE_LIMIT: "5" });
    const images = "/api/v1/providers/aws/images";
    const forwarded = { headers: { Via: "1.1 proxy" } };
    const first = await fetchFrom(service, images, forwarded);
    expect(first.status).toBe(200);
    for (let count = 0; count < 3; count++) {
      expect((await fetchFrom(service, "/api/v1/providers", forwarded)).status).toBe(200);
    }
    await step(stepMs);
    const later = await fetchFrom(service, images, forwarded);
    expect(later.status).toBe(200);
    expect(Number(later.headers.age)).toBeLessThan(120);
    expect(later.headers["ratelimit-remaining"]).toBe("0");
    expect(Number(later.headers["ratelimit-reset"])).toBeLessThanOrEqual(60);
    const rejected = await fetchFrom(service, images, forwarded);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers["retry-after"])).toBeLessThanOrEqual(60);
    // Not before the minute of the first request is over, and then immediately.
    await vi.waitFor(async () => expect((await fetchFrom(service, images, forwarded)).status).toBe(200), {
      timeout: 70_000,
      interval: 1_000,
    });
    expect((await service.stop()).code).toBe(0);
  },
);
