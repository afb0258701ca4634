import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { admin } from "./in-process.ts";

// Commands on a database that does not exist, such as after a typo in DATABASE_URL.

test("a mistyped path creates no file and no folder", async () => {
  const path = `${tempDatabase()}-folder/offers.sqlite`;
  expect((await admin(path, "catalog", "status")).code).toBe(1);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(dirname(path))).toBe(false);
});

test("an import of a missing file creates no database", async () => {
  const path = tempDatabase();
  const { code, stderr } = await admin(path, "catalog", "import", `${path}.ndjson`, "--format", "native");
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^gpu-offers-admin: cannot read /)]);
  expect(existsSync(path)).toBe(false);
});

test("an empty file is not a database, and stays empty", async () => {
  const path = tempDatabase();
  writeFileSync(path, "");
  expect((await admin(path, "account", "list")).stderr).toMatch(/^gpu-offers-admin: there is no gpu-offers database /);
  expect(statSync(path).size).toBe(0);
});
