import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { startFake } from "./fake-service.ts";
import { HAS_TMUX, IN_TMUX, openPicker } from "./picker-shell.ts";

test.skipIf(!HAS_TMUX)(
  `a server that stops responding: the screen keeps its rows, gives up after ten seconds and tries again ${IN_TMUX}`,
  async () => {
    const fake = await startFake();
    const { shell } = await openPicker(fake);
    fake.intercept = () => true;
    shell.type("R");
    await shell.sees(/. loading 0/);
    await wait(3_000);
    expect(await shell.sees(/STALE retry in[^]*cannot reach http\S+: no response in time/)).toMatch(
      /H100 PCIe 80G +\w/,
    );
  },
);
