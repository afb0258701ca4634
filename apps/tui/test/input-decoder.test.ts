import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { PickerEvent } from "../src/picker/event.ts";
import { InputDecoder } from "../src/screen/input-decoder.ts";

/** A decoder, and what it has sent: keys by their names, other events whole. */
function decoding(): { sent: (string | PickerEvent)[]; push: (chunk: string) => void } {
  const sent: (string | PickerEvent)[] = [];
  const { push } = new InputDecoder((...events) =>
    sent.push(...events.map((event) => (event.kind === "key" ? event.key : event))),
  );
  return { sent, push };
}

/** What chunks that arrive at once, one after the other, are decoded to. */
function decoded(...chunks: readonly string[]): (string | PickerEvent)[] {
  const { sent, push } = decoding();
  chunks.forEach(push);
  return sent;
}

/** What is decoded a while after the last chunk. */
async function settled(ms: number, ...chunks: readonly string[]): Promise<(string | PickerEvent)[]> {
  const { sent, push } = decoding();
  chunks.forEach(push);
  await wait(ms);
  return sent;
}

describe("keys", () => {
  test.each([
    ["jjj", ["j", "j", "j"]],
    ["h100\r", ["h", "1", "0", "0", "Enter"]],
    ["é👩‍💻", ["é", "👩‍💻"]],
    ["\u0003", ["Ctrl-C"]],
    ["a\u001C\u0000b", ["a", "Ctrl-\\", "b"]],
    ["\t\n\b\u007F", ["Tab", "Enter", "Backspace", "Backspace"]],
    ["\u001B[A\u001BOB\u001B[1;5C\u001B\u001B[D", ["Up", "Down", "Right", "Left"]],
    ["\u001B[H\u001B[4~\u001B[5~\u001B[6;2~\u001B[3~", ["Home", "End", "PgUp", "PgDn", "Delete"]],
    ["\u001B[7$\u001B[8^\u001B[a", ["Home", "End", "Up"]],
    ["\u001B[Z\u001BOM", ["Shift-Tab", "Enter"]],
    ["\u001Bb\u001Bf\u001B\u007F", ["Alt-B", "Alt-F", "Ctrl-W"]],
    ["\u001Bj\u001B\r", ["Esc", "j", "Esc", "Enter"]],
    ["\u001B[13u\u001B[99;5u", ["Enter", "Ctrl-C"]],
  ])("%j", (chunk, keys) => {
    expect(decoded(chunk)).toEqual(keys);
  });

  test("are none for function keys and the terminal's responses", () => {
    expect(decoded("\u001BOP\u001B[15~\u001B[[A\u001B[2~\u001B[I\u001B[?62;4c\u001B[24;80R\u001BOm")).toEqual([]);
  });
});

describe("an Esc", () => {
  test("waits for the rest of its key, and another key ends the wait", async () => {
    expect(decoded("\u001B")).toEqual([]);
    expect(await settled(250, "\u001B")).toEqual(["Esc"]);
    expect(decoded("\u001B", "[", "A")).toEqual(["Up"]);
    expect(decoded("\u001B", "OB")).toEqual(["Down"]);
    expect(decoded("\u001B", "b", "O", "k")).toEqual(["Esc", "b", "O", "k"]);
    expect(await settled(250, "\u001B", "\u001B")).toEqual(["Esc", "Esc"]);
    expect(await settled(250, "x\u001B[")).toEqual(["x", "Esc", "["]);
  });

  test("that counted already may be followed by its rest, for half a second", async () => {
    const { sent, push } = decoding();
    push("\u001B");
    await wait(300);
    ["[A", "[A", "[H"].forEach(push);
    push("\u001B");
    await wait(600);
    push("[A");
    expect(sent).toEqual(["Esc", "Up", "Up", "Home", "Esc", "[", "A"]);
  });
});

describe("a paste", () => {
  const paste = (text: string) => ({ kind: "paste", text });

  test("is one event with all that it contains, in whatever chunks it arrives", () => {
    const text = "a\r\nq\u0003\u001B[A\u001B";
    expect(decoded(`j\u001B[200~${text}\u001B[201~k`)).toEqual(["j", paste(text), "k"]);
    expect(decoded(..."\u001B[200~some text\u001B[201~k".split(""))).toEqual([paste("some text"), "k"]);
    expect(decoded("\u001B[201~")).toEqual([]);
  });

  test("without its end ends after a second without input", async () => {
    const { sent, push } = decoding();
    push("\u001B[200~some");
    await wait(600);
    push(" text");
    await wait(600);
    expect(sent).toEqual([]);
    await wait(600);
    push("\u0003");
    expect(sent).toEqual([paste("some text"), "Ctrl-C"]);
  });
});

test("the mouse clicks with its left button, and its wheel moves three rows", () => {
  expect(decoded("\u001B[<0;5;7M\u001B[<0;5;7m\u001B[<2;5;7M")).toEqual([{ kind: "click", column: 4, row: 6 }]);
  expect(decoded("j\u001B[<64;1;1M", "\u001B[<65;1", ";1M")).toEqual(["j", "Up", "Up", "Up", "Down", "Down", "Down"]);
});
