import { SourceError } from "../source-error.js";
import { concatBytes, NEWLINE, textOfBytes } from "./bytes.js";
import { MAX_RECORD_BYTES, MAX_RECORD_FIELDS } from "./limits.js";

interface CsvRecord {
  /** Line where the record starts, from 1. A quoted field may span several lines. */
  line: number;
  /** Its fields, without their quotes. */
  fields: readonly string[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * The records of UTF-8 CSV (RFC 4180), including the header; lines end with LF or CRLF. Records may differ in length;
 * blank lines are skipped.
 * @throws SourceError for broken quotes and for a record over {@link MAX_RECORD_BYTES} or {@link MAX_RECORD_FIELDS}: the start
 * of the next row is unknown after the former, and a row of commas takes many times its size in memory.
 */
export async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  // Of the record being read: its parts in earlier chunks, its size, and the line where it starts.
  const held: Uint8Array[] = [];
  let length = 0;
  let commas = 0;
  let firstLine = 1;
  let line = 1;
  let isQuoted = false;
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      length += 1;
      if (byte === QUOTE) {
        isQuoted = !isQuoted;
      } else if (byte === COMMA && !isQuoted) {
        commas += 1;
      } else if (byte === NEWLINE) {
        line += 1;
        if (!isQuoted) {
          held.push(chunk.subarray(start, at));
          const text = textOf(held.splice(0));
          const record = text.endsWith("\r") ? text.slice(0, -1) : text;
          if (!isBlank(record)) {
            yield { line: firstLine, fields: fieldsOf(record, firstLine) };
          }
          start = at + 1;
          firstLine = line;
          length = 0;
          commas = 0;
        }
      }
      if (length > MAX_RECORD_BYTES || commas >= MAX_RECORD_FIELDS) {
        const excess = commas >= MAX_RECORD_FIELDS ? `${MAX_RECORD_FIELDS} fields` : `${MAX_RECORD_BYTES} bytes`;
        throw new SourceError(
          `The row is longer than ${excess}, the most that a record may have. A quote may be missing.`,
          `line ${firstLine}`,
        );
      }
    }
    held.push(chunk.subarray(start));
  }
  const last = textOf(held);
  if (!isBlank(last)) {
    yield { line: firstLine, fields: fieldsOf(last, firstLine) };
  }
}

function textOf(parts: readonly Uint8Array[]): string {
  return textOfBytes(parts.length === 1 && parts[0] !== undefined ? parts[0] : concatBytes(parts));
}

/** Whether a record is one empty field. */
function isBlank(record: string): boolean {
  return record === "" || record === '""';
}

function fieldsOf(record: string, line: number): string[] {
  if (!record.includes('"')) {
    return record.split(",");
  }
  const fields: string[] = [];
  const quoted = /"([^"]*(?:""[^"]*)*)"/y;
  for (let at = 0; at <= record.length; at += 1) {
    const where = (until: number): string => `line ${line + record.slice(0, until).split("\n").length - 1}`;
    const comma = record.indexOf(",", at);
    let field = record.slice(at, comma === -1 ? record.length : comma);
    if (field.startsWith('"')) {
      quoted.lastIndex = at;
      const [whole, content] = quoted.exec(record) ?? [];
      if (whole === undefined || content === undefined) {
        throw new SourceError("The file ends inside a quoted field. Close the quote.", where(record.length));
      }
      field = content.replaceAll('""', '"');
      at += whole.length;
    } else if (!field.includes('"')) {
      at += field.length;
    }
    if (at < record.length && record[at] !== ",") {
      throw new SourceError("Unexpected quote. Quote the whole field and double its inner quotes.", where(at));
    }
    fields.push(field);
  }
  return fields;
}
