import { CsvError, parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, collect, joined, repeated } from "../source.fixture.js";
import { csvRecords } from "./csv.js";
import { MAX_RECORD_BYTES, MAX_RECORD_FIELDS } from "./limits.js";

const read = async (content: string, size?: number) =>
  (await collect(csvRecords(bytesOf(content, size)))).map(({ line, fields }) => [line, fields.join("|")]);

/** The records by csv-parse, or the name of our error. */
function independent(content: string): string[][] | "SourceError" {
  try {
    const records: string[][] = parse(content, { relax_column_count: true, record_delimiter: ["\r\n", "\n"] });
    return records.filter((fields) => fields.length > 1 || fields[0] !== "");
  } catch (error) {
    if (error instanceof CsvError) {
      return "SourceError";
    }
    throw error;
  }
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a,b\n1,2\n");
  throw new Error("disk on fire");
}

describe("CSV records", () => {
  test("have the line on which they start, also after multi-line fields", async () => {
    const expected = [
      [1, "a|b"],
      [2, "1\n2\n3|x"],
      [5, '|say "hi"'],
    ];
    expect(await read('a,b\n"1\n2\n3",x\n,"say ""hi"""\n')).toEqual(expected);
    expect(await read('a,b\n"1\n2\n3",x\n,"say ""hi"""', 1)).toEqual(expected);
  });

  test("are those of an independent parser, however the source is split", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", ",", '"', '""', "\r\n", "\n", '",', '\n"', "é"),
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (content, size) => {
        const fields = await collect(csvRecords(bytesOf(content, size))).then(
          (records) => records.map((record) => record.fields),
          (error: unknown) => (error as Error).name,
        );
        expect(fields).toEqual(independent(content));
      }),
      { seed: 20_261_123, numRuns: 3_000 },
    );
  });

  test("end with LF, CRLF or a mixture of both", async () => {
    expect(await read("a,b\r\n1,2\n3,4\r\n")).toEqual([
      [1, "a|b"],
      [2, "1|2"],
      [3, "3|4"],
    ]);
    expect(await read('a\n"x\r\ny"\nz\r\n')).toEqual([
      [1, "a"],
      [2, "x\r\ny"],
      [4, "z"],
    ]);
  });

  test("may differ in length, and blank lines are skipped", async () => {
    expect(await read("a,b\n\n1\n\n1,2,3\n\n")).toEqual([
      [1, "a|b"],
      [3, "1"],
      [5, "1|2|3"],
    ]);
    expect(await read("")).toEqual([]);
  });

  test.each([
    ["a stray quote", 'a,b\nx"y,2\n', "line 2: Unexpected quote."],
    ["text behind a quote", 'a,b\n1,2\n"x"y,2\n', "line 3: Unexpected quote."],
    ["an unclosed quote", 'a,b\n"x,2\n1,2\n', "The file ends inside a quoted field. Close the quote."],
  ])("are rejected for %s", async (_name, content, message) => {
    await expect(read(content)).rejects.toThrow(message);
    await expect(read(content)).rejects.toMatchObject({
      name: "SourceError",
      where: expect.stringMatching(/^line \d+$/),
    });
  });

  test("may be as long as the record limit and not much longer, quoted or not", async () => {
    expect(await read(`a\n${"x".repeat(MAX_RECORD_BYTES)}\n`)).toHaveLength(2);
    await expect(read(`a\n${"x".repeat(MAX_RECORD_BYTES + 2)}\n`)).rejects.toThrow(
      "line 2: The row is longer than 1048576 bytes",
    );
    await expect(read(`a\n"${"x\n".repeat(MAX_RECORD_BYTES)}"\n`)).rejects.toThrow("The row is longer");
    await expect(read(`a\n${"x,".repeat(MAX_RECORD_BYTES + 2)}\n`)).rejects.toThrow("The row is longer");
    await expect(read(`a\n\n${`"\n",,,`.repeat(MAX_RECORD_FIELDS)}\n`)).rejects.toThrow(
      "line 3: The row is longer than 1000 fields",
    );
  });

  test("may have many fields, but not millions", async () => {
    expect(await read(`a\n${",".repeat(MAX_RECORD_FIELDS - 1)}\n`)).toHaveLength(2);
    expect(await read(`a\n"${",".repeat(MAX_RECORD_FIELDS)}"\n`)).toHaveLength(2);
    await expect(read(`a\n${",".repeat(MAX_RECORD_FIELDS)}\n`)).rejects.toThrow(
      "line 2: The row is longer than 1000 fields",
    );
  });

  test("that never end are rejected long before memory runs out", async () => {
    await expect(collect(csvRecords(joined(bytesOf("a,b\n"), repeated("x".repeat(65_536), 16_384))))).rejects.toThrow(
      "line 2: The row is longer",
    );
  });

  test("propagate errors of their source", async () => {
    await expect(collect(csvRecords(failing()))).rejects.toThrow("disk on fire");
  });

  test("close their source when the reader stops early", async () => {
    let closed = false;
    async function* watched(): AsyncGenerator<Uint8Array> {
      try {
        yield* repeated("1,2\n", 1_000_000);
      } finally {
        closed = true;
      }
    }
    for await (const record of csvRecords(watched())) {
      expect(record.line).toBe(1);
      break;
    }
    await expect.poll(() => closed).toBe(true);
  });
});
