import { concatBytes, NEWLINE } from "./bytes.js";
import { SourceError } from "../source-error.js";
import { MAX_RECORD_BYTES } from "./limits.js";

/** One line of a source, without its line ending. Lines with only white space are skipped. */
export interface Line {
  /** From 1. */
  number: number;
  bytes: Uint8Array;
}

/** The non-blank lines of UTF-8 bytes. @throws SourceError for a line over {@link MAX_RECORD_BYTES}. */
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

/** The start of a source, and the whole source including that start. */
interface Peeked {
  /** Everything up to the end of the first non-blank line; the whole source if it has none. */
  head: Uint8Array;
  chunks: AsyncGenerator<Uint8Array>;
}

/** Peeks at the first line of a source without consuming it. Of a line over {@link MAX_RECORD_BYTES}, only a part. */
export async function peekLine(source: AsyncIterator<Uint8Array>): Promise<Peeked> {
  let head: Uint8Array = new Uint8Array();
  const chunks = await peek(source, (chunk) => {
    const held = concatBytes([head, chunk]);
    const end = endOfFirstLine(held);
    head = end === -1 ? held : held.subarray(0, end);
    return end !== -1 || held.length > MAX_RECORD_BYTES;
  });
  return { head, chunks };
}

function endOfFirstLine(bytes: Uint8Array): number {
  let end = bytes.indexOf(NEWLINE);
  while (end !== -1 && isBlank(bytes.subarray(0, end))) {
    end = bytes.indexOf(NEWLINE, end + 1);
  }
  return end;
}

/** Reads a source until a part of it is enough, and returns the whole source. */
export async function peek<T>(source: AsyncIterator<T>, isEnough: (part: T) => boolean): Promise<AsyncGenerator<T>> {
  const held: T[] = [];
  for (let isDone = false; !isDone;) {
    const next = await source.next();
    if (next.done !== true) {
      held.push(next.value);
    }
    isDone = next.done === true || isEnough(next.value);
  }
  return replay(held, source);
}

async function* replay<T>(held: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* held;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
