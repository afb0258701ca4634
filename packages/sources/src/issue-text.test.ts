import { describe, expect, test } from "vitest";
import * as z from "zod";
import { issueText } from "./issue-text.js";

const textOf = (schema: z.ZodType, value: unknown): string => {
  const { error } = schema.safeParse(value);
  return error === undefined ? "" : issueText(error);
};

describe("the text of what a schema rejected", () => {
  const one = z.object({ id: z.string(), price: z.number(), count: z.number() });
  const other = z.object({ name: z.string(), cost: z.number(), memory: z.number(), size: z.number() });

  test("names each field, and counts the rest", () => {
    expect(textOf(one, { id: "a", price: "1", count: 2 })).toMatch(/^price: .*number/);
    expect(textOf(other, {})).toMatch(/^name: .*; cost: .*; memory: .*; and 1 more$/);
  });

  test("of several forms names the fields of the closest one", () => {
    const rows = z.object({ rows: z.array(z.union([other, one])) });
    expect(textOf(rows, { rows: [{ id: "a", price: null, count: 1 }] })).toMatch(/^rows\.0\.price: .*number/);
    expect(textOf(z.union([z.string(), z.number()]), true)).toMatch(/string/);
    expect(textOf(z.union([z.string(), z.number()], "must be text or a number"), true)).toBe(
      "must be text or a number",
    );
  });
});
