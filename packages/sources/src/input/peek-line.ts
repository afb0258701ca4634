import { concatBytes } from "./bytes.js";
import { isBlank } from "./lines.js";
import { MAX_RECORD_BYTES } from "./limits.js";

/** The start of a source, and the whole source including that start. */
export interface Peeked {
  /** Everything up to the end of the first non-blank line; the whole source if it has none. */
  head: Uint8Array;
  chunks: AsyncGenerator<Uint8Array>;
}

/** Peeks at the first line of a source without consuming it. Of a line over {@link MAX_RECORD_BYTES}, only a part. */
export async function peekLine(source: AsyncGenerator<Uint8Array>): Promise<Peeked> {
  let held: Uint8Array = new Uint8Array();
  let end = -1;
  while (end === -1 && held.length <= MAX_RECORD_BYTES) {
    const next = await source.next();
    if (next.done === true) {
      end = held.length;
      break;
    }
    held = concatBytes([held, next.value]);
    end = endOfFirstLine(held);
  }
  return { head: held.subarray(0, end === -1 ? held.length : end), chunks: replay([held], source) };
}

function endOfFirstLine(bytes: Uint8Array): number {
  let end = bytes.indexOf(0x0a);
  while (end !== -1 && isBlank(bytes.subarray(0, end))) {
    end = bytes.indexOf(0x0a, end + 1);
  }
  return end;
}

/** What was read of a source, and then the rest of it. */
export async function* replay<T>(held: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    yield* held;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
