import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

// What commands do with a database that was never made, as after a mistake in DATABASE_URL.

const needDatabase: string[][] = [
  ["catalog", "import", nativeFile(nativeRows(1)), "--format", "native", "--dry-run"],
  ["catalog", "status"],
  ["catalog", "export"],
  ["catalog", "remove", "--provider", "aws"],
  ["account", "list"],
  ["account", "show", "ada@example.com"],
  ["account", "disable", "ada@example.com"],
  ["key", "create", "--account", "ada@example.com"],
  ["key", "list"],
  ["key", "revoke", "none"],
  ["credit", "add", "--account", "ada@example.com", "--amount", "1", "--reference", "a"],
  ["credit", "debit", "--account", "ada@example.com", "--amount", "1", "--reference", "a"],
  ["credit", "history", "--account", "ada@example.com"],
  ["account", "enable", "ada@example.com"],
  ["verify"],
];

describe.each(databasesOfSuite)("a $kind that was never made", ({ create }) => {
  test("is rejected by the commands that need one, and not made by them", async () => {
    const url = await create();
    for (const command of needDatabase) {
      const { code, stdout, stderr } = await admin(url, ...command);
      expect([command, code, stdout]).toEqual([command, 1, ""]);
      expect(stderr).toMatch(
        /^gpu-offers-admin: there is no gpu-offers database \S+\. Check DATABASE_URL\. To create one, start the service, or run catalog import or account create\.\n$/,
      );
    }
  });

  test.each([
    ["catalog import", () => ["catalog", "import", nativeFile(nativeRows(1)), "--format", "native"]],
    ["account create", () => ["account", "create", "--email", "ada@example.com", "--name", "Ada"]],
  ])("is made by %s", async (_name, command) => {
    const url = await create();
    expect(await admin(url, ...command())).toMatchObject({ code: 0, stderr: "" });
    expect(await admin(url, "catalog", "status")).toMatchObject({ code: 0, stderr: "" });
  });
});

test("no file and no folder comes from a mistyped path", async () => {
  const path = `${tempDatabase()}-folder/offers.sqlite`;
  expect((await admin(path, "catalog", "status")).code).toBe(1);
  expect(existsSync(path)).toBe(false);
  expect(existsSync(dirname(path))).toBe(false);
});

test("an import of a file that is not there makes no database", async () => {
  const path = tempDatabase();
  const { code, stderr } = await admin(path, "catalog", "import", `${path}.ndjson`, "--format", "native");
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^gpu-offers-admin: cannot read /)]);
  expect(existsSync(path)).toBe(false);
});

test("an empty file is no database, and stays empty", async () => {
  const path = tempDatabase();
  writeFileSync(path, "");
  expect((await admin(path, "account", "list")).stderr).toMatch(/^gpu-offers-admin: there is no gpu-offers database /);
  expect(statSync(path).size).toBe(0);
});
