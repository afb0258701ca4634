import { SourceError } from "../source-error.js";
import { bytesOfText, concatBytes, countNewlines, isUtf8, NEWLINE } from "./bytes.js";

/**
 * The content of a source: all of it, or a stream of its parts in order. Prefer bytes to text: invalid UTF-8 is then
 * rejected with its line.
 */
export type Chunks = Uint8Array | string | AsyncIterable<Uint8Array | string>;

/** The content as a stream. */
export async function* streamOf(chunks: Chunks): AsyncGenerator<Uint8Array | string> {
  if (typeof chunks === "string" || chunks instanceof Uint8Array) {
    yield chunks;
  } else {
    yield* chunks;
  }
}

const PIECE_BYTES = 64 * 1024;

/**
 * The content as validated UTF-8 bytes, without a byte order mark, in pieces of at most about 64 KiB that end between
 * characters.
 * @throws SourceError for gzip, and for bytes that are not UTF-8, with their line.
 */
export async function* utf8Bytes(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array();
  let line = 1;
  let isStart = true;
  for await (const piece of pieces(chunks)) {
    const joined = held.length === 0 ? piece : concatBytes([held, piece]);
    let bytes = joined.subarray(0, joined.length - incompleteTail(joined));
    held = joined.subarray(bytes.length);
    if (isStart && bytes[0] === 0x1f && bytes[1] === 0x8b) {
      throw new SourceError("The file is compressed with gzip. Decompress it first.");
    }
    checkUtf8(bytes, line);
    if (isStart && bytes.length > 0) {
      bytes = withoutMark(bytes);
      isStart = false;
    }
    line += countNewlines(bytes);
    yield bytes;
  }
  checkUtf8(held, line);
}

async function* pieces(chunks: Chunks): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytesOf(chunks)) {
    for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
      yield chunk.subarray(start, start + PIECE_BYTES);
    }
  }
}

/** Text as bytes; joins a character that is split across two chunks. */
async function* bytesOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let half = "";
  for await (const chunk of streamOf(chunks)) {
    if (typeof chunk !== "string") {
      yield chunk;
      continue;
    }
    const text = half + chunk;
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    yield bytesOfText(text.slice(0, text.length - half.length));
  }
  if (half !== "") {
    yield bytesOfText(half);
  }
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

/** Number of bytes at the end that start an incomplete character: 0 to 3. */
function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
    if (byte < 0x80) {
      return 0;
    }
  }
  return 0;
}

function checkUtf8(bytes: Uint8Array, firstLine: number): void {
  if (isUtf8(bytes)) {
    return;
  }
  let line = firstLine;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    if (!isUtf8(bytes.subarray(start, end))) {
      break;
    }
    start = end + 1;
    line += 1;
  }
  throw new SourceError("The bytes are not UTF-8. Save the file as UTF-8 and import it again.", `line ${line}`);
}
