import { nativeDocument, nativeRow, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { expect, test } from "vitest";
import { PROGRAM } from "./program.ts";

test("a message that is too large ends the program with a line that says so", async () => {
  const { code, stderr } = await startCommand(
    process.execPath,
    [PROGRAM, "mcp"],
    {},
    { stdin: { all: "x".repeat(11_000_000) } },
  ).ended;
  expect([code, stderr]).toEqual([2, expect.stringMatching(/too large\.\n$/)]);
});

test("a line that is not JSON gets an error response", async () => {
  const { code, stdout, stderr } = await startCommand(
    process.execPath,
    [PROGRAM, "mcp"],
    {},
    { stdin: { all: '{bad\n{"jsonrpc":"2.0","id":2,"method":"ping"}' } },
  ).ended;
  expect([code, stderr]).toEqual([0, "gpu-offers: rejected a line that is not JSON.\n"]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } },
    { jsonrpc: "2.0", id: 2, result: {} },
  ]);
});

test.each([{ all: "" }, undefined])("an input that ends at once (%j) ends the program", async (stdin) => {
  const options = stdin === undefined ? {} : { stdin };
  const ended = await startCommand(process.execPath, [PROGRAM, "mcp"], {}, options).ended;
  expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
});

test("requests in flight at the end of the input get their responses", async () => {
  const catalog = tempFile("catalog.json", nativeDocument([nativeRow()]));
  const messages = [
    {
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 1, method: "tools/call", params: { name: "find_gpu_offers", arguments: {} } },
  ];
  const all = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const ended = await startCommand(process.execPath, [PROGRAM, "mcp", "--catalog", catalog], {}, { stdin: { all } })
    .ended;
  expect(ended.code).toBe(0);
  expect(JSON.parse(ended.stdout.trim().split("\n")[1] ?? "")).toMatchObject({
    id: 1,
    result: { structuredContent: { total: 1 } },
  });
});

test("a catalog file that cannot be read ends the program at once", async () => {
  const ended = await startCommand(process.execPath, [PROGRAM, "mcp", "--catalog", "/no/such/file"]).ended;
  expect([ended.code, ended.stderr]).toEqual([
    expect.any(Number),
    expect.stringMatching(/^gpu-offers: cannot read the catalog \/no\/such\/file: .*ENOENT/),
  ]);
  expect(ended.code).not.toBe(0);
});
