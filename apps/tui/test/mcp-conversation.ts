import { createInterface } from "node:readline";
import { builtProgram } from "@gpu-offers/testkit/built-program";
import { startCommand, type RunningProcess } from "@gpu-offers/testkit/running-process";

// `gpu-offers mcp` as an agent program runs it: a process that speaks JSON-RPC over standard input and output.

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

/** Starts `gpu-offers mcp` and sends it requests one after the other; gives their responses and how it ended. */
export async function converse(args: readonly string[], requests: readonly [method: string, params: unknown][]) {
  const program = startCommand(
    process.execPath,
    [builtProgram("apps/tui/dist/gpu-offers.js"), "mcp", ...args],
    {},
    { stdin: "open" },
  );
  const responses = await exchange(program, [["initialize", INITIALIZE], ...requests]);
  program.child.stdin?.end();
  return { responses: responses.slice(1), ended: await program.ended };
}

async function exchange({ child }: RunningProcess, requests: readonly [string, unknown][]): Promise<Response[]> {
  if (child.stdout === null || child.stdin === null) {
    throw new Error("The program has no standard input and output.");
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const responses: Response[] = [];
  for (const [index, [method, params]] of requests.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: index, method, params })}\n`);
    const { value } = (await lines.next()) as { value: string };
    responses.push(JSON.parse(value) as Response);
    if (method === "initialize") {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    }
  }
  return responses;
}

/** A request that calls a tool. */
export const call = (name: string, args: unknown): [string, unknown] => ["tools/call", { name, arguments: args }];
