import { findPackageCommand } from "@gpu-offers/testkit/package-command";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { beforeAll, describe, expect, test } from "vitest";

// The tools for agents, checked by programs of the protocol's own project.

const conformance = findPackageCommand("@modelcontextprotocol/conformance@0.2.0-alpha.12", "conformance");
const inspector = findPackageCommand("@modelcontextprotocol/inspector@2.12.0", "mcp-inspector");

/** Scenarios that a server without sessions and fixture tools can pass. */
const SCENARIOS = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "dns-rebinding-protection",
  "http-header-validation",
  "sep-2164-resource-not-found",
  "server-sse-multiple-streams",
];

let service: Service;

beforeAll(async () => {
  service = await startService({ settings: { MCP: "on" } });
});

describe.skipIf(conformance === undefined)("the conformance suite (skipped if it cannot be installed)", () => {
  test.for(SCENARIOS)("passes %s", async (scenario) => {
    const ended = await conformance?.run("server", "--url", `${service.url}/mcp`, "--scenario", scenario);
    expect(ended?.stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    expect(ended?.code).toBe(0);
  });
});

describe.skipIf(inspector === undefined)("the inspector (skipped if it cannot be installed)", () => {
  const inspect = (...args: string[]) => inspector?.run("--cli", `${service.url}/mcp`, "--transport", "http", ...args);

  test("finds no error in the tools, with --strict", async () => {
    const ended = await inspect("--method", "tools/list", "--strict");
    expect([ended?.code, `${ended?.stdout}${ended?.stderr}`]).toEqual([0, expect.stringContaining("0 errors")]);
  });

  test("calls a tool", async () => {
    const call = ["--method", "tools/call", "--tool-name", "find_gpu_offers", "--tool-arg"];
    const ended = await inspect(...call, 'gpu=["H100"]', "minGpus=8");
    expect(ended?.stdout).toContain('"pricesAsOf"');
  });
});
