import { builtProgram, startCommand, type Ended as EndedProcess } from "@gpu-offers/testkit/running-process";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// The built program as a process, without any terminal.

/** The bundle that is run. */
export const PROGRAM = builtProgram("apps/tui/dist/gpu-offers.js");

/** How a process ended, and all that it printed. */
export type Ended = Omit<EndedProcess, "signal">;

/**
 * Runs the program to its end, in a session of its own so that it finds no terminal. It sees the settings, and a folder
 * for compiled code.
 */
export async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { code, stdout, stderr } = await startCommand(
    process.execPath,
    [PROGRAM, ...args],
    { XDG_CONFIG_HOME: tempFolder(), ...settings },
    { hasOwnSession: true },
  ).ended;
  return { code, stdout, stderr };
}

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

export const call = (name: string, args: unknown): [string, unknown] => ["tools/call", { name, arguments: args }];
