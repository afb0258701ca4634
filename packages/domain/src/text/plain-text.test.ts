import { describe, expect, test } from "vitest";
import { isPlainText, PLAIN_TEXT_PATTERN, plainTextSchema } from "../index.js";

describe("plain text", () => {
  test.each(["", "NORWAY-1", "São Paulo", "東京", "a'b\"c<d>&", "🇳🇴", "x".repeat(200)])("may be %j", (text) => {
    expect(isPlainText(text)).toBe(true);
    expect(plainTextSchema.parse(text)).toBe(text);
  });

  const forging = ["\u0000", "\t", "\n", "\r", "\u001B", "\u007F", "\u0085", "\u009B", "\u2028", "\u2029"];
  const turning = ["\u061C", "\u200E", "\u200F", "\u202A", "\u202E", "\u2066", "\u2069", "\uD800", "\uDFFF"];

  const invisible = ["\u200B", "\u00AD", "\u2060", "\u3164", "\uFE0F", "\uFEFF", "\u{E0041}"];

  test.each([...forging, ...turning, ...invisible])("does not contain %j", (mark) => {
    for (const text of [mark, `a${mark}b`]) {
      expect(isPlainText(text)).toBe(false);
      expect(plainTextSchema.safeParse(text).error?.issues[0]?.message).toBe(
        "must not contain control or invisible characters",
      );
    }
  });

  test("is at most 200 characters long for publishing", () => {
    expect(plainTextSchema.safeParse("x".repeat(201)).success).toBe(false);
    expect(plainTextSchema.safeParse(1).success).toBe(false);
  });

  test("is described by the pattern, character by character", () => {
    const different: string[] = [];
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (!isSurrogate && isPlainText(character) !== PLAIN_TEXT_PATTERN.test(character)) {
        different.push(code.toString(16));
      }
    }
    expect(different).toEqual([]);
  });
});
