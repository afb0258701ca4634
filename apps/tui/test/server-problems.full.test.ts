import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sendJson } from "@gpu-offers/testkit/http-server";
import {
  customResponse,
  errorResponse,
  hostile,
  startFake,
  type FakeService,
  type Interceptor,
} from "./fake-service.ts";
import { offerAt } from "./offers.ts";
import { HAS_TMUX, IN_TMUX, openPicker, openShell } from "./picker-shell.ts";

// What the terminal shows if the service, or a file, is slow, broken, missing or unusual.

const ROWS = /H100 PCIe 80G +\w/;

/** The whole list, with a server that responds. */
const FRESH = /^ gpu-offers {3}30 offers(?!.*(?:STALE|OFFLINE|loading))/m;

/** Delays every response of the service. */
function delayed(fake: FakeService, delayMs: number): Interceptor {
  return (request, response) => {
    setTimeout(() => fake.response(request, response), delayMs);
    return true;
  };
}

describe.skipIf(!HAS_TMUX)(`server problems ${IN_TMUX}`, () => {
  test("5xx: waits longer after each failure, never twice the same", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake);
    fake.intercept = errorResponse(503, "unavailable", { times: 2 });
    const before = fake.listedMs.length;
    shell.type("R");
    expect(await shell.sees(/STALE retry in \ds/)).toMatch(/ returned an error: /);
    await shell.sees(FRESH);
    const [first = 0, second = 0, third = 0] = fake.listedMs.slice(before);
    for (const [gapMs, backoffMs] of [
      [second - first, 1_000],
      [third - second, 2_000],
    ] as const) {
      expect(gapMs).toBeGreaterThanOrEqual(backoffMs * 0.75 - 10);
      expect(gapMs).toBeLessThan(backoffMs * 1.25 + 500);
    }
  });

  test("5xx of a proxy: says the status, and nothing about a schema", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake);
    fake.intercept = customResponse((response) => sendJson(response, { error: "oops" }, { status: 500 }));
    shell.type("R");
    const screen = await shell.sees(/STALE retry/);
    expect(screen).toContain("returned an error (status 500). Try again later.");
    expect(screen).not.toContain("Invalid input");
  });

  test("HTML: says that it is no such service, and what to set", async () => {
    const fake = await startFake();
    fake.intercept = customResponse((response) => response.end("<!doctype html><h1>Welcome</h1>"));
    const { shell, start } = openShell({ GPU_OFFERS_URL: fake.url });
    start();
    await shell.sees(
      /OFFLINE R retries[^]*no gpu-offers service at \S+ \(set GPU_OFFERS_URL\): the\s+response is not JSON[^]*R retries now/,
    );
    fake.intercept = undefined;
    shell.type("R");
    await shell.sees(/30 offers/);
  });

  test("an oversized response: is rejected, with the limit", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake);
    const chunk = Buffer.alloc(1024 * 1024, " ");
    fake.intercept = customResponse((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) {
          // As long as it is taken
        }
        response.once("drain", more);
      };
      more();
    });
    shell.type("R");
    expect(await shell.sees(/STALE[^]*no gpu-offers service at \S+ \(set GPU_OFFERS_URL\)/)).toMatch(ROWS);
    shell.resize(200, 24);
    await shell.sees(/the response is larger than 8388608 bytes/);
  });

  test("a slow response: a spinner after a while, keys all the time", async () => {
    const fake = await startFake();
    fake.intercept = delayed(fake, 1_500);
    const { shell, start } = openShell({ GPU_OFFERS_URL: fake.url });
    start();
    expect(await shell.sees(/q quit/)).not.toMatch(/loading|reading/);
    await shell.sees(/. loading 0[^]*loading offers from http/);
    shell.type("/h100\rs");
    await shell.sees(/ \/ h100/);
    await shell.sees(/30 offers/);
    expect(shell.screen()).toMatch(/\$\/H↑/);
  });

  test("a slow confirmation: a message after a while", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake, "--image cuda");
    shell.type("\r\r");
    await shell.sees(/Enter to accept/);
    fake.intercept = delayed(fake, 1_000);
    shell.type("\r");
    await shell.sees(/rechecking availability and price \.\.\./);
    await shell.sees(/ended 0/);
  });

  test("texts that would act on the terminal: are shown and do nothing", async () => {
    const { shell, start } = openShell({ GPU_OFFERS_URL: await hostile(), GPU_OFFERS_API_KEY: "key" });
    shell.record();
    start();
    await shell.sees(/ 2 offers/);
    for (const key of ["d", "Escape", "a", "Escape", "f", "Escape", "y", "Enter", "Escape"]) {
      shell.press(key);
      await wait(150);
    }
    shell.type("q");
    await shell.sees(/ended 130[^]*done/);
    const raw = await shell.recorded();
    expect(raw).toContain("]0;owned");
    const [before = "", ...copies] = raw.split("\u001b]52;c;");
    // The copy of `y` is the one code of this kind that is meant.
    const written = [before, ...copies.map((copy) => copy.slice(copy.indexOf("\u0007") + 1))].join("");
    for (const acting of ["\u001b]", "\u0007", "\u001b[31m"]) {
      expect(written).not.toContain(acting);
    }
    expect(raw).not.toMatch(/[\u0080-\u009f\u202e\u2066\u2028]/);
  });

  test("rows of a file that are rejected: their number, and why", async () => {
    const { shell, start, folder } = openShell({});
    const header = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice";
    const rows = ["n3-A100x1,A100-80G-PCIe,1,28,120.0,,1.35,CANADA-1,", "n3-Foox1,Foo9000,1,28,120.0,,1.35,CANADA-1,"];
    writeFileSync(join(folder, "mine.csv"), [header, ...rows, ""].join("\n"));
    start("--catalog mine.csv --provider hyperstack");
    await shell.sees(/1 offer .*1 row rejected \(a\)/);
    shell.type("a");
    await shell.sees(
      /1 row was rejected\. For the reasons, run gpu-offers rejected --catalog\s+mine\.csv --provider hyperstack\.[^]*line 3: unknown_gpu/,
    );
  });

  test("no matches: counts what each filter excludes, including offers the service filtered out", async () => {
    const fake = await startFake();
    fake.offers.push(offerAt(40, { gpu: { name: "L4", slug: "l4", vramGB: 24, architecture: "Ada" } }));
    const { shell, start } = openShell({ GPU_OFFERS_URL: fake.url });
    start("--gpu l4 --continent Asia --max-price 100");
    await shell.sees(/0 offers\. Press a number to drop a filter:\s+1 without continent Asia: 1/);
    shell.type("1");
    await shell.sees(/ 1 of 31 offers/);
    expect(await shell.sees(/^❯  2× L4/m)).not.toContain("continent Asia");
  });
});
