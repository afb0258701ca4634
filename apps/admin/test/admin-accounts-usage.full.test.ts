import { beforeAll, describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { AccountStore } from "@gpu-offers/store/account.store";
import { ApiKeyStore } from "@gpu-offers/store/api-key.store";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { withDatabase } from "@gpu-offers/store/test/databases";

describe("invalid usage exits with 2, names the invalid argument, and changes nothing:", () => {
  let database: string;
  let account: string;

  beforeAll(async () => {
    database = tempDatabase();
    account = (await makeAccount(database)).id;
  });

  const entry = (option: string, value: string): string[] => {
    const options = new Map([
      ["--account", account],
      ["--amount", "1"],
      ["--reference", "a"],
      [option, value],
    ]);
    return ["credit", "add", ...[...options].flat()];
  };

  test.each([
    ...["0", "-1"].map((amount) => [amount, "It must be positive"]),
    ...["1.00001", "1e3", "1,5", "", "NaN", " 1", "+1", "0x10"].map((amount) => [amount, "must be a decimal"]),
    ["922337203685477.5808", "must be at most 922337203685477.5807"],
  ] as [string, string][])("an amount of %j", async (amount, says) => {
    const { code, stdout, stderr } = await admin(database, ...entry("--amount", amount));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("--amount");
    expect(stderr).toContain(says);
  });

  test.each(["", "a b", "a\nb", "é", "x".repeat(129)])("a reference of %j", async (reference) => {
    const { code, stderr } = await admin(database, ...entry("--reference", reference));
    expect(code).toBe(2);
    expect(stderr).toMatch(/It must have 1 to 128 visible ASCII characters, without spaces\./);
  });

  test.each(["", "ada", "ada@", "a b@example.com", "ada@example.com\n", "ada@example.com\u202e"])(
    "an email address of %j",
    async (email) => {
      const { code, stderr } = await admin(database, "account", "create", "--email", email, "--name", "Ada");
      expect(code).toBe(2);
      expect(stderr).toMatch(/--email/);
    },
  );

  test.each(["", "  ", "x".repeat(201), "a\u001b[31mb", "a\nb", "a\u202eb"])("a name of %j", async (name) => {
    const { code, stderr } = await admin(database, "account", "create", "--email", "new@example.com", "--name", name);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--name/);
  });

  test.each([
    "tomorrow",
    "2020-01-01",
    "2099-02-31",
    "2099-13-01",
    "2099-01-01T25:00Z",
    "2099-01-01T10:00",
    "99-01-01",
    "",
  ])("an expiry of %j", async (expires) => {
    const { code, stderr } = await admin(database, "key", "create", "--account", account, "--expires", expires);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--expires/);
  });

  test.each(["label", "note"])("a --%s with control characters", async (option) => {
    const args = option === "label" ? ["key", "create", "--account", account] : entry("--amount", "1");
    const { code, stderr } = await admin(database, ...args, `--${option}`, "a\u0007b");
    expect(code).toBe(2);
    expect(stderr).toMatch(/no control characters/);
  });

  test.each([
    [["account"]],
    [["account", "create", "--name", "Ada"]],
    [["account", "create", "--email", "new@example.com"]],
    [["account", "show"]],
    [["account", "enable"]],
    [["account", "remove", "x"]],
    [["key", "create"]],
    [["key", "revoke"]],
    [["credit", "add", "--amount", "1", "--reference", "a"]],
    [["credit", "add", "--account", "x", "--reference", "a"]],
    [["credit", "add", "--account", "x", "--amount", "1"]],
    [["credit", "history"]],
    [["account", "list", "--xml"]],
    [["verify", "more"]],
  ])("%j", async (args) => {
    expect(await admin(database, ...args)).toMatchObject({ code: 2, stdout: "" });
  });

  test("nothing changed in the end", async () => {
    await withDatabase(database, async (opened) => {
      expect(await new AccountStore(opened).list()).toHaveLength(1);
      expect(await new ApiKeyStore(opened).list()).toHaveLength(1);
      expect(await new CreditStore(opened).findNewest()).toBe(undefined);
    });
  });
});
