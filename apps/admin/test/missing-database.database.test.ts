import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

// Commands on a database that does not exist, such as after a typo in DATABASE_URL.

const needDatabase: string[][] = [
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

describe.each(databasesOfSuite)("a $kind that does not exist", ({ create }) => {
  test("is rejected by the commands that need one, and not created by them", async () => {
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
  ])("is created by %s", async (_name, command) => {
    const url = await create();
    expect(await admin(url, ...command())).toMatchObject({ code: 0, stderr: "" });
    expect(await admin(url, "catalog", "status")).toMatchObject({ code: 0, stderr: "" });
  });
});

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
