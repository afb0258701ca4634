import { describe, expect, it } from "vitest";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startOdd } from "./odd-server.ts";
import { PROGRAM } from "./program.ts";

// A server that accepts connections and never responds, or begins a response that never ends. People are told soon,
// long before the time of a request is over.

const silent = () => startOdd(() => {});
const stuck = () => startOdd((response) => response.writeHead(200, { "content-type": "application/json" }).write("{"));

describe("a hung server", () => {
  it.each([
    ["--list", silent, ["--list"]],
    ["--first, where a response has begun", stuck, ["--first"]],
    ["--watch", silent, ["--watch"]],
    ["a sub-command", stuck, ["providers"]],
    ["compare", silent, ["compare", "a", "b"]],
  ])("is reported by %s", async (_, start, args) => {
    const program = startCommand(process.execPath, [PROGRAM, ...args, "--url", await start()], {});
    const beganMs = performance.now();
    while (program.stderr() === "" && performance.now() - beganMs < 9_500) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    program.child.kill("SIGKILL");
    expect(program.stderr()).toMatch(
      /^gpu-offers: no response from http\S+ yet; still trying\. Press Ctrl-C to stop\.\n$/,
    );
  });
});
