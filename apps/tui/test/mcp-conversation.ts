import { startCommand } from "@gpu-offers/testkit/running-process";
import { PROGRAM } from "./program.ts";

// `gpu-offers mcp` as a script runs it: a process that gets JSON-RPC on standard input, and ends with it.

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

interface Response {
  id: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** Sends requests to `gpu-offers mcp`; gives their responses in the same order, and how it ended. */
export async function converse(args: readonly string[], requests: readonly [method: string, params: unknown][]) {
  const messages = [
    { id: -1, method: "initialize", params: INITIALIZE },
    { method: "notifications/initialized" },
    ...requests.map(([method, params], id) => ({ id, method, params })),
  ];
  const all = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const ended = await startCommand(process.execPath, [PROGRAM, "mcp", ...args], {}, { stdin: { all } }).ended;
  const responses = ended.stdout
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Response]))
    .sort((a, b) => a.id - b.id);
  return { responses: responses.slice(1), ended };
}

/** A request that calls a tool. */
export const call = (name: string, args: unknown): [string, unknown] => ["tools/call", { name, arguments: args }];
