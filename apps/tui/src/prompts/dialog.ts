import { printable } from "@gpu-offers/list";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { noTerminal } from "../exit-codes.js";
import { openTty } from "../output/tty.js";
import type { PickerEvent } from "../picker/event.js";
import type { Key } from "../picker/keys.js";

// A line-based dialog: output is never repainted, and input is read line by line.

/** A line-based dialog. */
export interface Dialog {
  say: (text: string) => void;
  /** Prompts for a line. `?` prints help; `q`, `n`, `no` and end of input are `q`. */
  ask: (request: string, help: readonly string[]) => Promise<string>;
  close: () => void;
}

const LEAVE = /^(?:q|quit|n|no)$/i;

/**
 * Opens a dialog on the terminal of this process.
 * @param onLeave Called if a reply is to quit; the prompt then never ends.
 * @throws Failure if there is no terminal.
 */
export function openDialog(onLeave: () => void): Dialog {
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
          onLeave();
          return new Promise(() => {});
        } else {
          return text;
        }
      }
    },
    close: () => lines.close(),
  };
}

/** What is typed into a prompt as events of the screen. */
export function keys(...typed: readonly Key[]): PickerEvent[] {
  return typed.map((key) => ({ kind: "key", key }));
}

/** Prompts until a line is valid. `read` returns its events, or what is wrong with it; `b` steps back. */
export async function askFor(
  dialog: Dialog,
  request: string,
  { help, read }: { help: readonly string[]; read: (text: string) => readonly PickerEvent[] | string },
): Promise<readonly PickerEvent[]> {
  for (;;) {
    const text = await dialog.ask(request, help);
    const events = /^b(?:ack)?$/i.test(text) ? keys("Esc") : read(text);
    if (typeof events === "object") {
      return events;
    }
    dialog.say(events);
  }
}
