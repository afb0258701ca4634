import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { SourceError } from "../source-error.js";
import { withinRecordSize } from "./record-size.js";

/** One record of a CSV source. */
interface CsvRecord {
  /** Line where the record starts, from 1. A quoted field may span several lines. */
  line: number;
  fields: readonly string[];
}

/**
 * The records of UTF-8 CSV (RFC 4180), including the header; lines end with LF or CRLF. Records may differ in length;
 * blank lines are skipped.
 * @throws SourceError for broken quotes and for a record over MAX_RECORD_BYTES, because the start of the next row is
 * unknown after either.
 */
export async function* csvRecords(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord> {
  const parser = parse({
    relax_column_count: true,
    // Listed rather than auto-detected, so that the first line's ending does not apply to all others.
    record_delimiter: ["\r\n", "\n"],
  });
  // Errors in the chunks reach the loop below through the parser, which the pipeline destroys with them.
  pipeline(Readable.from(withinRecordSize(chunks)), parser, () => {});
  let line = 1;
  try {
    for await (const fields of parser as AsyncIterable<string[]>) {
      if (fields.length > 1 || fields[0] !== "") {
        yield { line, fields };
      }
      line += 1 + newlinesIn(fields);
    }
  } catch (error) {
    throw error instanceof CsvError ? sourceErrorOf(error) : error;
  }
}

function newlinesIn(fields: readonly string[]): number {
  let count = 0;
  for (const field of fields) {
    if (field.includes("\n")) {
      count += field.split("\n").length - 1;
    }
  }
  return count;
}

/** The parser counts the lines it has read, so this is the line where it stopped. */
function sourceErrorOf(error: CsvError): SourceError {
  const lines: unknown = error["lines"];
  const where = typeof lines === "number" ? `line ${lines}` : undefined;
  if (error.code === "CSV_QUOTE_NOT_CLOSED") {
    return new SourceError("The file ends inside a quoted field. Close the quote.", where, { cause: error });
  }
  return new SourceError("Unexpected quote. Quote the whole field and double its inner quotes.", where, {
    cause: error,
  });
}
