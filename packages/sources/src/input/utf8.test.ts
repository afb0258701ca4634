import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { anyText } from "@gpu-offers/domain/offer.fixture";
import { describe, expect, test } from "vitest";
import { bytesOf, collect } from "../source.fixture.js";
import { utf8Bytes, type Chunks } from "./utf8.js";

const read = async (chunks: Chunks) => Buffer.concat(await collect(utf8Bytes(chunks))).toString("utf8");

async function* texts(...parts: string[]): AsyncGenerator<string> {
  yield* parts;
}

describe("the bytes of a source", () => {
  test("pass unchanged, however they are split", async () => {
    const text = anyText().filter((value) => value.isWellFormed() && !value.startsWith("\ufeff"));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (content, size) => {
        expect(await read(bytesOf(content, size))).toBe(content);
      }),
      { seed: 20_261_120 },
    );
  });

  test.each([
    "é",
    "€",
    "😀",
    "aé",
    "a€",
    "a😀",
    "éa",
    "€a",
    "😀é",
    "\u0080",
    "\u07ff",
    "\u0800",
    "\uffff",
    "\u{10ffff}",
  ])("keep %j at their end, however they are split", async (content) => {
    for (const size of [1, 2, 3, 4, 5]) {
      expect(await read(bytesOf(content, size))).toBe(content);
    }
  });

  test("lose their byte order mark, and only at the start", async () => {
    expect(await read(bytesOf("\ufeffa\ufeffb", 1))).toBe("a\ufeffb");
    expect(await read(bytesOf("\ufeff"))).toBe("");
    // Characters that share two of the three bytes of a byte order mark.
    for (const content of ["\u0effa", "\uff3fa", "\ufec0a", "\uff01a"]) {
      expect(await read(bytesOf(content))).toBe(content);
    }
  });

  test("may be text, even if a character is split across two chunks", async () => {
    expect(await read(texts("a\ud83d", "\ude00b", "c"))).toBe("a😀bc");
    expect(await read(texts("a\ud83d"))).toBe("a\ufffd");
    expect(await read(texts("a", "", "b"))).toBe("ab");
  });

  test("are split into pieces, so that no large chunk blocks the event loop", async () => {
    const pieces = await collect(utf8Bytes(bytesOf("x".repeat(1_000_000), 1_000_000)));
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(64 * 1024);
  });

  test.each([
    ["a lone continuation", [0x80], 1],
    ["an overlong slash", [0xc0, 0xaf], 1],
    ["a surrogate", [0xed, 0xa0, 0x80], 1],
    ["Latin-1 on the third line", [0x61, 0x0a, 0x62, 0x0a, 0xe9, 0x0a, 0x63], 3],
    ["a truncated character at the end", [0x61, 0x0a, 0xf0, 0x9f, 0x98], 2],
    ["a truncated character before a line ending", [0xe2, 0x82, 0x0a, 0x61], 1],
  ])("are rejected with their line for %s", async (_name, content, line) => {
    for (const size of [1, 2, 3, 100]) {
      await expect(read(bytesOf(Uint8Array.from(content), size))).rejects.toThrow(
        `line ${line}: The bytes are not UTF-8. Save the file as UTF-8 and import it again.`,
      );
    }
  });

  test("compressed with gzip are rejected with what to do", async () => {
    await expect(read(bytesOf(gzipSync("a,b\n")))).rejects.toThrow(
      "The file is compressed with gzip. Decompress it first.",
    );
  });

  test("count lines across chunks when one of them is rejected", async () => {
    const content = Buffer.concat([Buffer.from("line\n".repeat(40_000)), Buffer.from([0xff])]);
    await expect(read(bytesOf(content))).rejects.toMatchObject({ name: "SourceError", where: "line 40001" });
  });
});
