import { SourceError } from "../source-error.js";
import { withinRecordSize } from "./record-size.js";

/** One record of a CSV source. */
interface CsvRecord {
  /** Line where the record starts, from 1. A quoted field may span several lines. */
  line: number;
  /** Its fields, without their quotes. */
  fields: readonly string[];
}

/**
 * The records of UTF-8 CSV (RFC 4180), including the header; lines end with LF or CRLF. Records may differ in length;
 * blank lines are skipped.
 * @throws SourceError for broken quotes and for a record over MAX_RECORD_BYTES, because the start of the next row is
 * unknown after either.
 */
export async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  // The text from the start of a record, and how far it was searched for the record's end.
  let text = "";
  let searched = 0;
  let isQuoted = false;
  let line = 1;
  for await (const bytes of withinRecordSize(chunks)) {
    text += decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n", searched); end !== -1; end = text.indexOf("\n", searched)) {
      isQuoted = isQuotedAfter(text, searched, end, isQuoted);
      searched = end + 1;
      if (isQuoted) {
        continue;
      }
      const record = text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
      if (!isBlank(record)) {
        yield { line, fields: fieldsOf(record, line) };
      }
      line += countNewlines(record) + 1;
      start = searched;
    }
    isQuoted = isQuotedAfter(text, searched, text.length, isQuoted);
    searched = text.length - start;
    text = text.slice(start);
  }
  if (!isBlank(text)) {
    yield { line, fields: fieldsOf(text, line) };
  }
}

/** A record of one empty field. */
function isBlank(record: string): boolean {
  return record === "" || record === '""';
}

function isQuotedAfter(text: string, from: number, end: number, before: boolean): boolean {
  let isQuoted = before;
  for (let at = text.indexOf('"', from); at !== -1 && at < end; at = text.indexOf('"', at + 1)) {
    isQuoted = !isQuoted;
  }
  return isQuoted;
}

function fieldsOf(record: string, line: number): string[] {
  if (!record.includes('"')) {
    return record.split(",");
  }
  const fields: string[] = [];
  const quoted = /"([^"]*(?:""[^"]*)*)"/y;
  for (let at = 0; at <= record.length;) {
    const where = (): string => `line ${line + countNewlines(record.slice(0, at))}`;
    if (record[at] === '"') {
      quoted.lastIndex = at;
      const [whole, content] = quoted.exec(record) ?? [];
      if (whole === undefined || content === undefined) {
        throw new SourceError(
          "The file ends inside a quoted field. Close the quote.",
          `line ${line + countNewlines(record)}`,
        );
      }
      at += whole.length;
      if (at < record.length && record[at] !== ",") {
        throw unexpectedQuote(where());
      }
      fields.push(content.replaceAll('""', '"'));
      at += 1;
      continue;
    }
    const comma = record.indexOf(",", at);
    const end = comma === -1 ? record.length : comma;
    const field = record.slice(at, end);
    if (field.includes('"')) {
      throw unexpectedQuote(where());
    }
    fields.push(field);
    at = end + 1;
  }
  return fields;
}

function unexpectedQuote(where: string): SourceError {
  return new SourceError("Unexpected quote. Quote the whole field and double its inner quotes.", where);
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}
