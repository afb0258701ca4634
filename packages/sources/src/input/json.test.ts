import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf, repeated } from "../source.fixture.js";
import { excessOf, isObject, parseJson, readJsonDocument } from "./json.js";
import { MAX_JSON_DEPTH, MAX_JSON_NAMES, MAX_JSON_VALUES } from "./limits.js";

const parse = (text: string) => parseJson(Buffer.from(text));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const list = (values: number) => `[0${",0".repeat(values - 1)}]`;
const object = (names: number) => `{${Array.from({ length: names }, (_, index) => `"k${index}":0`).join(",")}}`;
const excess = (text: string) => excessOf(Buffer.from(text))?.reason;

describe("JSON", () => {
  test("is parsed like JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { seed: 20_261_120 },
    );
  });

  test("in a view of a larger buffer is only that view", () => {
    expect(parseJson(Buffer.from("xx[1]xx").subarray(2, 5))).toEqual({ ok: true, value: [1] });
  });

  test.each(["", "{", "NaN", "{} {}", "'a'", "[1,]", "\u0000"])("%j is rejected with a reason", (text) => {
    const parsed = parse(text);
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(/^it is not JSON: .+/) });
  });

  test("that is invalid is quoted without terminal control characters", () => {
    expect(parse("\u001b[31m\u202e")).toMatchObject({ reason: expect.stringMatching(/^[^\p{Cc}\u202e]*$/u) });
  });
});

describe("the weight of JSON", () => {
  test("stays within the limits for catalogs", () => {
    expect(excess('{"a":[{"b":"[[[[{{{{,,,,::::\\""}]}')).toBeUndefined();
    expect(excess("")).toBeUndefined();
    expect(excess('"never closed')).toBeUndefined();
    expect(excess('"ends in a backslash\\')).toBeUndefined();
    expect(excess(`"${"[{".repeat(100)}"`)).toBeUndefined();
    expect(excess(`"\\"${"[{".repeat(100)}"`)).toBeUndefined();
    expect(excess(`"\\\\"${"[{".repeat(100)}`)).toBe("it is nested deeper than 64 levels");
  });

  test("is bounded in depth", () => {
    expect(excess(nested(MAX_JSON_DEPTH))).toBeUndefined();
    expect(excess(nested(MAX_JSON_DEPTH + 1))).toBe("it is nested deeper than 64 levels");
    expect(excess('{"a":'.repeat(65))).toBe("it is nested deeper than 64 levels");
    expect(excess("[]".repeat(100))).toBeUndefined();
    expect(excess("{}".repeat(100))).toBeUndefined();
    expect(excess("[ 1".repeat(MAX_JSON_DEPTH + 1))).toBe("it is nested deeper than 64 levels");
    expect(parse(nested(MAX_JSON_DEPTH))).toMatchObject({ ok: true });
    expect(parse(nested(MAX_JSON_DEPTH + 1))).toEqual({
      ok: false,
      reason: "it is nested deeper than 64 levels",
      at: MAX_JSON_DEPTH,
    });
  });

  test("is bounded in values", () => {
    expect(excess(list(MAX_JSON_VALUES))).toBeUndefined();
    expect(excess(list(MAX_JSON_VALUES + 1))).toBe("it has more than 600000 values");
    expect(excess("{}".repeat(MAX_JSON_VALUES + 1))).toBe("it has more than 600000 values");
  });

  test("is bounded in distinct member names, which are expensive to parse", () => {
    expect(excess(object(MAX_JSON_NAMES))).toBeUndefined();
    expect(excess(object(MAX_JSON_NAMES + 1))).toBe("it has more than 1000 different member names");
    expect(excess(`[${object(500)},${object(500)},${object(500)}]`)).toBeUndefined();
  });
});

describe("a JSON document", () => {
  test("is read whole, however it is split into chunks", async () => {
    expect(await readJsonDocument(bytesOf('{"a": ["é"]}', 1))).toEqual({ a: ["é"] });
  });

  test.each(["", " \r\n\t"])("of %j is an empty file", async (content) => {
    await expect(readJsonDocument(bytesOf(content))).rejects.toThrow("The file is empty.");
  });

  test("that is invalid is rejected with the location", async () => {
    await expect(readJsonDocument(bytesOf('{"a":\n 1,\n x}'))).rejects.toThrow(
      /^The file cannot be read: it is not JSON: .*\(line 3 column 2\)\.$/,
    );
  });

  test("that is nested too deep is rejected with the line", async () => {
    const deep = `{"a":\n[1],\n"b": ${"[".repeat(MAX_JSON_DEPTH)}\n\n`;
    await expect(readJsonDocument(bytesOf(deep, 7))).rejects.toMatchObject({
      message: "line 3: The file cannot be read: it is nested deeper than 64 levels.",
      where: "line 3",
    });
  });

  test("that is too large is rejected with the line that exceeds the limit", async () => {
    const lines = repeated(" ".repeat(1_048_575) + "\n", 20);
    await expect(readJsonDocument(lines)).rejects.toThrow(/^line 17: The JSON document is larger than 16777216 bytes/);
  });

  test("that never ends is rejected at the limit, with a workaround", async () => {
    const endless = repeated(" ".repeat(65_536), 1_000_000);
    await expect(readJsonDocument(endless)).rejects.toThrow(/larger than 16777216 bytes.*NDJSON/);
  });
});

test("null and arrays are not objects", () => {
  expect([{}, null, [], "x", undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

describe("a duplicate key", () => {
  test.each([
    ['{"a":1,"a":2}', "a"],
    ['{"a":1, "a" : 2}', "a"],
    ['[{"b":{"price":1,"x":[{"price":3}],"price":2}}]', "price"],
    [String.raw`{"price":1,"\u0070rice":2}`, "price"],
    ['{"":1,"":2}', ""],
    ['{"\u200b":1,"\u200b":2}', String.raw`\\u200b`],
  ])("is found in %s", (text, key) => {
    expect(excess(text)).toBe(`an object has the key "${key}" twice`);
  });

  test("is not reported in any JSON from JSON.stringify", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(excess(JSON.stringify(value))).toBe(undefined);
        expect(excess(JSON.stringify([value, value], null, 2))).toBe(undefined);
      }),
      { seed: 7 },
    );
  });
});
