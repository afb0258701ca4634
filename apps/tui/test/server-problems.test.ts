import { describe, expect, test } from "vitest";
import { errorResponse, startFake } from "./fake-service.ts";
import { HAS_TMUX, IN_TMUX, openPicker } from "./picker-shell.ts";

// What the terminal shows if the service, or a file, is slow, broken, missing or unusual.

const ROWS = /H100 PCIe 80G +\w/;

/** The whole list, with a server that responds. */
const FRESH = /^ gpu-offers {3}30 offers(?!.*(?:STALE|OFFLINE|loading))/m;

describe.skipIf(!HAS_TMUX)(`server problems ${IN_TMUX}`, () => {
  test("429: waits as long as Retry-After says, counts down, and keeps its rows", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake);
    fake.intercept = errorResponse(429, "rate_limited", { headers: { "retry-after": "2" }, times: 1 });
    const before = fake.listedMs.length;
    shell.type("R");
    expect(await shell.sees(/STALE retry in 2s/)).toMatch(ROWS);
    await shell.sees(/STALE retry in 1s/);
    await shell.sees(FRESH);
    const [rejected = 0, again = 0] = fake.listedMs.slice(before);
    expect(again - rejected).toBeGreaterThanOrEqual(1_990);
  });

  test("401 half-way: keeps the rows and names the variable, in the list and when it accepts", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake);
    fake.intercept = errorResponse(401, "unauthorized");
    shell.type("R");
    const screen = await shell.sees(/STALE R retries/);
    expect(screen).toMatch(/the API key is invalid\. Set GPU_OFFERS_API_KEY/);
    expect(screen).toMatch(ROWS);
    fake.intercept = undefined;
    shell.type("R");
    await shell.sees(FRESH);
    shell.press("Enter");
    await shell.sees(/Image ubuntu/);
    shell.type("\r\r");
    await shell.sees(/Enter to accept/);
    fake.intercept = errorResponse(401, "unauthorized");
    shell.type("\r");
    await shell.sees(/the API key is invalid\. Set GPU_OFFERS_API_KEY[^]*Enter to retry/);
    fake.intercept = undefined;
    shell.type("\r");
    await shell.sees(/ended 0/);
  });

  test("a server that goes and comes back: rows are kept, and it reconnects by itself", async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake);
    shell.type("jj");
    await fake.stop();
    shell.type("R");
    expect(await shell.sees(/STALE retry in \ds/)).toMatch(/ cannot reach http:\/\/127\.0\.0\.1:\d+/);
    const pointed = /^❯.*$/m.exec(shell.screen())?.[0];
    await fake.start();
    await shell.sees(FRESH);
    expect(shell.screen()).toContain(pointed);
  });
});
