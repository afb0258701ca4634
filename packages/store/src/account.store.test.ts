import { randomUUID } from "node:crypto";
import { accountSchema } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { databases } from "@gpu-offers/testkit/databases";
import { open } from "../test/databases.ts";
import { AccountStore } from "./account.store.js";
import type { Database } from "./database.js";

describe.each(databases)("accounts in $kind", ({ create }) => {
  let database: Database;

  beforeAll(async () => {
    database = await open(await create());
  });

  const make = (email: string) => new AccountStore(database).create({ email, displayName: "Ada" });

  test("have the published form, and are found by id and by email address", async () => {
    const made = await make("Ada.Lovelace@example.com");
    expect(made).toEqual({ ...accountSchema.parse(made), disabled_at: null });
    expect(made?.email).toBe("Ada.Lovelace@example.com");
    const { id = "" } = made ?? {};
    for (const name of [id, id.toUpperCase(), "ada.lovelace@example.com", "ADA.LOVELACE@EXAMPLE.COM"]) {
      expect(await new AccountStore(database).find(name)).toEqual(made);
    }
  });

  test.each([
    ["grace@example.com", "GRACE@Example.Com"],
    ["JOSÉ@EXÄMPLE.com", "josé@exämple.com"],
    // The same letters, composed and with combining marks.
    ["zoe\u0301@example.com", "zo\u00e9@example.com"],
    ["İ@example.com", "i̇@example.com"],
  ])("are unique for %s and %s", async (first, second) => {
    const made = await make(first);
    expect(made?.email).toBe(first);
    expect(await make(second)).toBeUndefined();
    expect(await make(first)).toBeUndefined();
    expect(await new AccountStore(database).find(second)).toEqual(made);
    expect(await new AccountStore(database).find(first)).toEqual(made);
  });

  test("are created once if many create the same concurrently", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make("at-once@example.com")));
    expect(made.filter((account) => account !== undefined)).toHaveLength(1);
  });

  test.each(["", "unknown@example.com", randomUUID(), "%", "' or 1=1 --", "a".repeat(10_000)])(
    "are not found as %j",
    async (name) => {
      expect(await new AccountStore(database).find(name)).toBeUndefined();
    },
  );

  test("keep any text unchanged", async () => {
    const displayName = "Ünï — 'quoted' \"twice\" \\ % _ 😀";
    const made = await new AccountStore(database).create({ email: "o'hara+%_@example.com", displayName });
    expect(made?.display_name).toBe(displayName);
    expect(await new AccountStore(database).find("O'HARA+%_@example.com")).toEqual(made);
  });

  test("are disabled once, and remain", async () => {
    const made = await make("leaver@example.com");
    const disabled = await new AccountStore(database).disable(made?.id ?? "");
    expect(disabled).toEqual({ ...made, disabled_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string });
    expect(await new AccountStore(database).disable(made?.id ?? "")).toEqual(disabled);
    expect(await new AccountStore(database).find("leaver@example.com")).toEqual(disabled);
    expect(await new AccountStore(database).disable(randomUUID())).toBeUndefined();
  });

  test("are re-enabled unchanged, and no others are", async () => {
    const made = await make("returner@example.com");
    const other = await make("other-leaver@example.com");
    await new AccountStore(database).disable(made?.id ?? "");
    await new AccountStore(database).disable(other?.id ?? "");
    expect(await new AccountStore(database).enable(made?.id ?? "")).toEqual(made);
    expect(await new AccountStore(database).enable(made?.id ?? "")).toEqual(made);
    expect((await new AccountStore(database).find("other-leaver@example.com"))?.disabled_at).not.toBeNull();
    expect(await new AccountStore(database).enable(randomUUID())).toBeUndefined();
  });

  test("are listed oldest first", async () => {
    const accounts = await new AccountStore(database).list();
    expect(accounts.map(({ email }) => email)).toContain("leaver@example.com");
    const order = accounts.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(order).toEqual(order.toSorted());
  });
});
