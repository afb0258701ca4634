import { concatBytes } from "./bytes.js";
import { SourceError } from "../source-error.js";
import { MAX_RECORD_BYTES } from "./limits.js";

const NEWLINE = 0x0a;

/** One line of a source, without its line ending. Lines with only white space are skipped. */
export interface Line {
  /** From 1. */
  number: number;
  bytes: Uint8Array;
}

/**
 * The non-blank lines of UTF-8 bytes.
 * @throws SourceError for a line over {@link MAX_RECORD_BYTES}.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const bytes = concatBytes([...held.splice(0), chunk.subarray(start, end)]);
      checkLength(bytes.length, number);
      if (!isBlank(bytes)) {
        yield { number, bytes };
      }
      heldBytes = 0;
      number += 1;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    heldBytes += chunk.length - start;
    checkLength(heldBytes, number);
  }
  const last = concatBytes(held);
  if (!isBlank(last)) {
    yield { number, bytes: last };
  }
}

function checkLength(bytes: number, number: number): void {
  if (bytes > MAX_RECORD_BYTES) {
    throw new SourceError(
      `The line is longer than ${MAX_RECORD_BYTES} bytes, the most that a record may have.`,
      `line ${number}`,
    );
  }
}

/** Whether the bytes are only spaces, tabs and line endings. */
export function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === NEWLINE);
}
