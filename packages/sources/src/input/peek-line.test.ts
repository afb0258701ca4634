import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, collect, repeated } from "../source.fixture.js";
import { MAX_RECORD_BYTES } from "./limits.js";
import { peekLine } from "./lines.js";

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** The peeked content, and what can be read afterwards. */
async function peek(content: string, size: number): Promise<{ head: string; whole: string }> {
  const { head, chunks } = await peekLine(bytesOf(content, size));
  return { head: textOf(head), whole: textOf(Buffer.concat(await collect(chunks))) };
}

describe("peeking at the first line", () => {
  test("returns up to the first non-blank line and consumes nothing, however the source is split", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "{", " ", "\t", "\r", "\n", "\n"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 13 }), async (content, size) => {
        const head = /^\s*[^\s][^\n]*(?=\n)/.exec(content)?.[0];
        expect(await peek(content, size)).toEqual({ head: head ?? content, whole: content });
      }),
      { seed: 20_261_121, numRuns: 1_000 },
    );
  });

  test.each([
    ["", ""],
    ["\n", "\n"],
    ["a", "a"],
    ["a\n", "a"],
    ["\na\nb", "\na"],
    ["\n\n\na\nb\nc", "\n\n\na"],
  ])("of %j is %j", async (content, head) => {
    expect(await peek(content, 100)).toEqual({ head, whole: content });
    expect(await peek(content, 1)).toEqual({ head, whole: content });
  });

  test("reads no further than that line", async () => {
    let pieces = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const piece of repeated("a\n", 1_000)) {
        pieces += 1;
        yield piece;
      }
    }
    expect(textOf((await peekLine(counted())).head)).toBe("a");
    expect(pieces).toBe(1);
  });

  test("returns a part of a line that exceeds the record limit", async () => {
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for await (const piece of repeated("x".repeat(65_536), 1_000)) {
        pieces += 1;
        yield piece;
      }
    }
    const { head } = await peekLine(endless());
    // The first chunk beyond the limit is the last.
    expect(head).toHaveLength(MAX_RECORD_BYTES + 65_536);
    expect(pieces).toBe(17);
  });

  test("closes its source when the reader stops early", async () => {
    let isClosed = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        yield* repeated("a\n", 10);
      } finally {
        isClosed = true;
      }
    }
    const { chunks } = await peekLine(watched());
    await chunks.next();
    expect(isClosed).toBe(false);
    await chunks.return(undefined);
    expect(isClosed).toBe(true);
  });
});
