import { describe, expect, test } from "vitest";
import { accountSchema } from "../index.js";

const account = {
  id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  email: "ada@example.com",
  display_name: "Ada",
  created_at: "2026-11-20T21:36:00.123Z",
};

describe("an account", () => {
  test("has the API's fields and drops others", () => {
    expect(accountSchema.parse({ ...account, plan: "x" })).toEqual(account);
    expect(Object.keys(accountSchema.shape)).toEqual(["id", "email", "display_name", "created_at"]);
  });

  test.each([
    { email: "josé@exämple.com" },
    { email: "a.b+c@sub.example.museum" },
    { display_name: "" },
    { created_at: "2026-11-20T21:36:00.123456Z" },
    { created_at: "2024-02-29T00:00:00.0Z" },
    { id: "00000000-0000-0000-0000-000000000001" },
  ])("may have %j", (change) => {
    expect(accountSchema.parse({ ...account, ...change })).toEqual({ ...account, ...change });
  });

  test.each([
    { id: "42" },
    { email: "ada" },
    { email: "ada@" },
    { email: "ada@example.com\n" },
    { email: "" },
    { display_name: null },
    { created_at: "2026-11-20T21:36:00Z" },
    { created_at: "2026-11-20T21:36:00.123" },
    { created_at: "2026-11-20T21:36:00.123+01:00" },
    { created_at: "2026-11-20 21:36:00.123Z" },
    { created_at: "2026-02-29T00:00:00.000Z" },
    { created_at: "2026-11-20" },
    { created_at: 1_700_000_000 },
  ])("must not have %j", (change) => {
    expect(accountSchema.safeParse({ ...account, ...change }).success).toBe(false);
  });

  test.each(Object.keys(account))("requires %s", (field) => {
    expect(accountSchema.safeParse({ ...account, [field]: undefined }).success).toBe(false);
  });
});
