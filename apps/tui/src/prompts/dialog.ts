import { printable } from "@gpu-offers/list";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { noTerminal } from "../output/exit-codes.js";
import { openTty } from "../output/tty.js";

// A line-based dialog: output is never repainted, and input is read line by line.

/** Result of a prompt: a value, or a request to go back or quit. */
export type Prompted<Value> = { kind: "chosen"; value: Value } | { kind: "back" } | { kind: "left" };

/** One line of input. */
type Reply = { kind: "line"; text: string } | { kind: "back" } | { kind: "left" };

/** A line-based dialog. */
export interface Dialog {
  say: (text: string) => void;
  /** Prompts for a line. `q`, `n`, `no` and end of input quit; `b` goes back; `?` prints help. */
  ask: (request: string, help: readonly string[]) => Promise<Reply>;
  close: () => void;
}

const LEAVE = /^(?:q|quit|n|no)$/i;
const BACK = /^(?:b|back)$/i;

/**
 * Opens a dialog on the terminal of this process.
 * @throws Failure if there is no terminal.
 */
export function openDialog(): Dialog {
  const input = process.stdin.isTTY ? process.stdin : createReadStream("", { fd: openTty("r") });
  const output = process.stderr.isTTY ? process.stderr : createWriteStream("", { fd: openTty("w") });
  const lines = createInterface({ input, terminal: false });
  const iterator = lines[Symbol.asyncIterator]();
  const failed = new Promise<never>((_, reject) => {
    input.once("error", () => reject(noTerminal()));
    output.once("error", () => reject(noTerminal()));
  });
  failed.catch(() => undefined);
  const say = (text: string): void => void output.write(`${printable(text)}\n`);
  return {
    say,
    ask: async (request, help) => {
      for (;;) {
        output.write(`${request} `);
        const { done, value } = await Promise.race([iterator.next(), failed]);
        const text = done === true ? "q" : value.trim();
        if (text === "?" || text === "help") {
          [...help, "b: back. q, n or no: quit without choosing."].forEach(say);
        } else if (LEAVE.test(text)) {
          return { kind: "left" };
        } else {
          return BACK.test(text) ? { kind: "back" } : { kind: "line", text };
        }
      }
    },
    close: () => lines.close(),
  };
}

/** Prompts until a line is a valid value; `read` returns it, or what is wrong with the line. */
export async function askFor<Value>(
  dialog: Dialog,
  request: string,
  { help, read }: { help: readonly string[]; read: (text: string) => { value: Value } | string },
): Promise<Prompted<Value>> {
  for (;;) {
    const reply = await dialog.ask(request, help);
    if (reply.kind !== "line") {
      return reply;
    }
    const result = read(reply.text);
    if (typeof result === "object") {
      return { kind: "chosen", value: result.value };
    }
    dialog.say(result);
  }
}
