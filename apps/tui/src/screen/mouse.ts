import type { ReadStream } from "node:tty";
import type { PickerEvent } from "../picker/event.js";

// The mouse, as terminals report it in mode 1006. Ink drops these reports, so they are taken out of its input.

const ESCAPE = "\u001B";
const reportPattern = new RegExp(String.raw`${ESCAPE}\[<(\d+);(\d+);(\d+)([Mm])`, "g");

/** Rows that a step of the wheel moves. */
const WHEEL_ROWS = 3;

const WHEEL: Readonly<Record<string, string>> = { "64": "Up", "65": "Down" };

/** Sends clicks and the wheel's steps as events, before the keys that were read together with them. */
export function readMouse(input: Pick<ReadStream, "read">, send: (...events: readonly PickerEvent[]) => void): void {
  const read = input.read.bind(input);
  input.read = (size?: number): unknown => {
    const chunk = read(size) as Buffer | string | null;
    const text = chunk?.toString() ?? "";
    const events = [...text.matchAll(reportPattern)].flatMap(mouseEvents);
    if (events.length === 0 && !text.includes(`${ESCAPE}[<`)) {
      return chunk;
    }
    send(...events);
    return text.replaceAll(reportPattern, "");
  };
}

function mouseEvents([, button = "", column, row, end]: readonly string[]): PickerEvent[] {
  const key = WHEEL[button];
  if (key !== undefined) {
    return Array.from({ length: WHEEL_ROWS }, () => ({ kind: "key", key }) as const);
  }
  // The left button; its release is no click.
  return button === "0" && end === "M" ? [{ kind: "click", column: Number(column) - 1, row: Number(row) - 1 }] : [];
}
