import { describe, expect, test } from "vitest";
import { bytesOf, collect, joined, repeated } from "../source.fixture.js";
import { MAX_RECORD_BYTES } from "./limits.js";
import { isBlank, linesOf } from "./lines.js";

const read = async (content: string, size?: number) =>
  (await collect(linesOf(bytesOf(content, size)))).map(({ number, bytes }) => [number, Buffer.from(bytes).toString()]);

describe("lines", () => {
  test("have their number, with or without a final line ending", async () => {
    for (const size of [1, 3, 100]) {
      expect(await read("a\nbc\n", size)).toEqual([
        [1, "a"],
        [2, "bc"],
      ]);
      expect(await read("a\nbc", size)).toEqual([
        [1, "a"],
        [2, "bc"],
      ]);
    }
  });

  test("that are blank are counted but left out", async () => {
    expect(await read("\n \t\r\na\r\n\n\nb\n\n")).toEqual([
      [3, "a\r"],
      [6, "b"],
    ]);
    expect(await read("")).toEqual([]);
  });

  test("may be as long as the record limit and not a byte longer", async () => {
    const longest = "x".repeat(MAX_RECORD_BYTES);
    expect(await read(`${longest}\n`)).toHaveLength(1);
    expect(await read(longest)).toHaveLength(1);
    // Regardless of the number of preceding lines in the same chunk.
    expect(await read(`${"a\n".repeat(30_000)}${longest}`)).toHaveLength(30_001);
    await expect(read(`a\n${longest}x\n`)).rejects.toThrow("line 2: The line is longer than 1048576 bytes");
    await expect(read(`${longest}x`)).rejects.toThrow("line 1: The line is longer");
  });

  test("that never end are rejected long before memory runs out", async () => {
    const endless = joined(bytesOf("a\n"), repeated("x".repeat(65_536), 1_000_000));
    await expect(collect(linesOf(endless))).rejects.toThrow("line 2");
  });

  test("are blank if they contain only white space", () => {
    expect(isBlank(Buffer.from(" \t\r\n"))).toBe(true);
    expect(isBlank(Buffer.from(""))).toBe(true);
    expect(isBlank(Buffer.from(" x"))).toBe(false);
    expect(isBlank(Buffer.from("\u0000"))).toBe(false);
  });
});
