import { expect, test } from "vitest";
import { bytesOf } from "../source.fixture.js";
import { excessOf, readJsonDocument } from "./json.js";
import { MAX_DOCUMENT_BYTES } from "./limits.js";

// The limits at full size, which takes a while; mutation runs skip these tests.

test("a JSON document may be as large as its limit", async () => {
  const content = "1".padEnd(MAX_DOCUMENT_BYTES, " ");
  expect(await readJsonDocument(bytesOf(content))).toBe(1);
  await expect(readJsonDocument(bytesOf(`${content} `))).rejects.toThrow("larger than");
});

test("the weight of JSON is measured in linear time", () => {
  const started = performance.now();
  expect(excessOf(Buffer.from(`"a"${":".repeat(4_000_000)}`))).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(2000);
});
