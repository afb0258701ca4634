import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startHungServers } from "./fake-service.ts";
import { call, converse, PROGRAM } from "./program.ts";

// A server that accepts connections and never responds, or begins a response that never ends. The picker says so soon,
// long before the time of a request is over. All of these wait at the same time.

const servers = await startHungServers();

describe.concurrent("a hung server", () => {
  test.each([
    ["--list", () => servers.silent, ["--list"]],
    ["--first, where a response has begun", () => servers.stuck, ["--first"]],
    ["a sub-command", () => servers.stuck, ["providers"]],
  ])("is reported by %s", async (_, server, args) => {
    const program = startCommand(process.execPath, [PROGRAM, ...args, "--url", server().url], {});
    const beganMs = performance.now();
    while (program.stderr() === "" && performance.now() - beganMs < 9_500) {
      await wait(100);
    }
    program.child.kill("SIGKILL");
    expect(program.stderr()).toMatch(
      /^gpu-offers: still waiting for a response from http\S+\. Press Ctrl-C to stop\.\n$/,
    );
  });

  test("is an error result of an agent's tool", async () => {
    const { responses, ended } = await converse(["--url", servers.silent.url], [call("find_gpu_offers", {})]);
    expect(responses[0]?.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^cannot reach http\S+: no response in time/) as string }],
    });
    expect(ended.code).toBe(0);
  });
});
