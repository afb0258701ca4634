import { describe, test } from "vitest";
import { startHungServers } from "./fake-service.ts";
import { HAS_TMUX, IN_TMUX, openShell } from "./picker-shell.ts";

// A server that accepts connections and never responds, or begins a response that never ends. The picker says so soon,
// long before the time of a request is over. All of these wait at the same time.

const servers = await startHungServers();

describe.concurrent("a hung server", () => {
  test.skipIf(!HAS_TMUX)(`shows a waiting message on the screen at once, ${IN_TMUX}`, async () => {
    const { shell, start } = openShell({ GPU_OFFERS_URL: servers.silent.url });
    start();
    await shell.sees(/. loading 0[^]*loading offers from http:/);
    shell.type("q");
    await shell.sees(/ended 130/);
  });

  test.skipIf(!HAS_TMUX)(`is reported before the screen opens, where names are read first, ${IN_TMUX}`, async () => {
    const { shell, start } = openShell({ GPU_OFFERS_URL: servers.silent.url });
    start("--provider verda");
    await shell.sees(/still waiting for a response from http\S+\. Press/);
  });

  test.skipIf(!HAS_TMUX)(`is reported by the prompts ${IN_TMUX}`, async () => {
    const { shell, start } = openShell({ GPU_OFFERS_URL: servers.stuck.url, ACCESSIBLE: "1" });
    start();
    await shell.sees(/still waiting for a response from http\S+\. Press/);
  });
});
