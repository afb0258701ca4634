import { describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { databases } from "@gpu-offers/testkit/databases";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";

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

describe.each(databases)("a $kind that does not exist", ({ create }) => {
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
