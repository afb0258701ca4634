import { SourceError } from "../source-error.js";
import { MAX_RECORD_BYTES, MAX_RECORD_FIELDS } from "./limits.js";

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * Passes on the bytes of a CSV while its rows are within the limits. A parser allocates a string for each field, even an
 * empty one, so a row of commas takes many times its size in memory.
 * @throws SourceError for a row over {@link MAX_RECORD_BYTES} or {@link MAX_RECORD_FIELDS}, with the line where it starts.
 */
export async function* withinRecordSize(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let line = 1;
  let firstLine = 1;
  let length = 0;
  let commas = 0;
  let isQuoted = false;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      length += 1;
      if (byte === QUOTE) {
        isQuoted = !isQuoted;
      } else if (byte === NEWLINE) {
        line += 1;
        if (!isQuoted) {
          firstLine = line;
          length = 0;
          commas = 0;
        }
      } else if (byte === COMMA && !isQuoted) {
        commas += 1;
      }
      if (length > MAX_RECORD_BYTES || commas >= MAX_RECORD_FIELDS) {
        const excess = commas >= MAX_RECORD_FIELDS ? `${MAX_RECORD_FIELDS} fields` : `${MAX_RECORD_BYTES} bytes`;
        throw new SourceError(
          `The row is longer than ${excess}, the most that a record may have. A quote may be missing.`,
          `line ${firstLine}`,
        );
      }
    }
    yield chunk;
  }
}
