import { describe, expect, test } from "vitest";
import { isPlainText, plainTextSchema } from "./index.js";

describe("plain text", () => {
  test.each(["", "NORWAY-1", "São Paulo", "東京", "a'b\"c<d>&", "🇳🇴", "x".repeat(200)])("may be %j", (text) => {
    expect(isPlainText(text)).toBe(true);
    expect(plainTextSchema.parse(text)).toBe(text);
  });

  const forging = ["\u0000", "\t", "\n", "\r", "\u001B", "\u007F", "\u0085", "\u009B", "\u2028", "\u2029"];
  const turning = ["\u061C", "\u200E", "\u200F", "\u202A", "\u202E", "\u2066", "\u2069", "\uD800", "\uDFFF"];

  test.each([...forging, ...turning])("does not hold %j", (mark) => {
    for (const text of [mark, `a${mark}b`]) {
      expect(isPlainText(text)).toBe(false);
      expect(plainTextSchema.safeParse(text).error?.issues[0]?.message).toBe("must not hold control characters");
    }
  });

  test("is at most 200 characters long where it is published", () => {
    expect(plainTextSchema.safeParse("x".repeat(201)).success).toBe(false);
    expect(plainTextSchema.safeParse(1).success).toBe(false);
  });
});
