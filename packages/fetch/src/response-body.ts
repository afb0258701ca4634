import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { TransportError } from "./transport-error.js";

// Reads the bodies of providers' responses. A small body may decompress to gigabytes, so both sizes are limited.

/** Maximum compression ratio; JSON of price lists stays below 20. */
const MAX_RATIO = 100;

/** Smaller bodies may have any compression ratio. */
const RATIO_FROM_BYTES = 1024 * 1024;

/**
 * Reads the whole body of a response, decompressed, within the limits.
 * @throws TransportError when it is too large, compressed too much, or in another encoding; and what a damaged body throws.
 */
export async function readBody(
  raw: Readable,
  encoding: string | undefined,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const coding = (encoding ?? "identity").trim().toLowerCase();
  if (!["identity", "gzip", "x-gzip"].includes(coding)) {
    raw.on("error", () => {}).destroy();
    throw new TransportError("bad_encoding", `The response is encoded as ${coding.slice(0, 20)}, not gzip.`);
  }
  const isPlain = coding === "identity";
  let sent = 0;
  if (!isPlain) {
    raw.on("data", (chunk: Buffer) => (sent += chunk.length));
  }
  const plain = isPlain ? raw : raw.pipe(createGunzip());
  raw.on("error", (error) => plain.destroy(error));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new TransportError("too_large", `The response is larger than ${maxBytes} bytes.`);
      }
      if (!isPlain && size > RATIO_FROM_BYTES && size > sent * MAX_RATIO) {
        throw new TransportError("too_large", `The response is compressed more than ${MAX_RATIO} to 1.`);
      }
      signal.throwIfAborted();
      chunks.push(chunk);
    }
  } finally {
    raw.destroy();
  }
  return Buffer.concat(chunks);
}
