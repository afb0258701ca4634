import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { nativeDocument, nativeRow, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { expect, inject, test, vi } from "vitest";
import { call, converse, PROGRAM } from "./program.ts";

const root = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

test("tools over a catalog file find offers, and the process ends with its input", async () => {
  const file = tempFile(
    "catalog.json",
    nativeDocument([nativeRow(), nativeRow({ instanceType: "h100x8", gpuCount: 8 })]),
  );
  const { responses, ended } = await converse(
    ["--catalog", file],
    [["tools/list", {}], call("find_gpu_offers", { gpu: ["H100"], minGpus: 8, diskGb: 100 })],
  );
  expect((responses[0]?.result?.["tools"] as { name: string }[] | undefined)?.map(({ name }) => name)).toEqual([
    "find_gpu_offers",
    "compare_gpu_offers",
    "quote_gpu_deployment",
    "list_gpus",
  ]);
  expect(responses[1]?.result?.["structuredContent"]).toMatchObject({
    total: 1,
    offers: [{ gpu: "8x H100 SXM 80GB", provider: "fjord", usdPerHourWithDisk: 2.51 }],
  });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

test("tools over a service quote what the service has", async () => {
  const service = inject("service");
  const { responses } = await converse(["--url", service.url], [call("find_gpu_offers", { limit: 1 })]);
  const found = responses[0]?.result?.["structuredContent"] as { offers: { id: string }[] } | undefined;
  const id = found?.offers[0]?.id;
  const response = await fetch(`${service.url}/api/v1/offers/${id}`);
  expect(await response.json()).toMatchObject({ id, isAvailable: true });
});

test("a service that is down is an error result that says so", async () => {
  const { responses, ended } = await converse(["--url", "http://127.0.0.1:9"], [call("find_gpu_offers", {})]);
  expect(responses[0]?.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("127.0.0.1:9") as string }],
  });
  expect(ended.code).toBe(0);
});

test("a message of an invalid form gets an error response, and the conversation goes on", async () => {
  const lines = [{ jsonrpc: "2.0", id: 1, method: 7 }, { hello: "x" }, { jsonrpc: "2.0", id: 2, method: "ping" }];
  const program = startCommand(process.execPath, [PROGRAM, "mcp"], {}, { stdin: "open" });
  program.child.stdin?.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await vi.waitFor(() => expect(program.stdout().split("\n")).toHaveLength(4), 9_000);
  program.child.stdin?.end();
  const endedAt = performance.now();
  const responses = (await program.ended).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const invalid = { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Invalid Request" } };
  expect(responses).toEqual(expect.arrayContaining([invalid, invalid, { jsonrpc: "2.0", id: 2, result: {} }]));
  expect(program.stderr()).toBe("gpu-offers: rejected a message that is not JSON-RPC 2.0.\n".repeat(2));
  // It doesn't wait for responses to messages that get none.
  expect(performance.now() - endedAt).toBeLessThan(5_000);
});

test("flags that choose offers are rejected: the tools have arguments for that", async () => {
  const { code, stderr } = await startCommand(process.execPath, [PROGRAM, "mcp", "--gpu", "h100-sxm"]).ended;
  expect([code, stderr]).toEqual([2, expect.stringContaining("--gpu has no effect on mcp")]);
});

test("the transcript in docs/agents.md is what the program prints", async () => {
  const [, transcript = ""] = /^## Transcript\n([^]*?)^## /m.exec(readFileSync(root("docs/agents.md"), "utf8")) ?? [];
  const blocks = [...transcript.matchAll(/^ {4}(\w+) (\{.*\})\n((?: {6}.*\n)+)/gm)];
  expect(blocks).toHaveLength(5);
  const { responses } = await converse(
    ["--catalog", root("apps/api/catalog/starter.json")],
    blocks.map(([, tool = "", args = ""]) => call(tool, JSON.parse(args))),
  );
  const printed = responses.map(({ result }) => (result as { content: { text: string }[] }).content[0]?.text);
  // The page wraps long lines of JSON and leaves out launch texts, and prices grow older.
  const joined = (text = "") =>
    text
      .replaceAll(/\n */g, "")
      .replaceAll(/(?<="ageDays":)\d+/g, "0")
      .replace(/(?<="launch":\[).*(?=\]\}$)/, "...");
  expect(blocks.map(([, , , response]) => joined(response?.trim()))).toEqual(printed.map(joined));
});
