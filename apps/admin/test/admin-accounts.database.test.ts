import { accountSchema } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { isApiKey } from "@gpu-offers/store/api-key.store";
import { databasesOfSuite } from "@gpu-offers/testkit/databases";
import { makeAccount } from "@gpu-offers/store/test/accounts";
import { commandsOn } from "./account-commands.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const aTime = expect.stringMatching(TIME) as string;

describe.each(databasesOfSuite)("the command line on $kind", ({ create }) => {
  let database: string;

  beforeAll(async () => {
    database = await create();
  });

  const { run, json, credit } = commandsOn(() => database);

  test("creates, lists, shows, disables and enables accounts", async () => {
    const made = await run("account", "create", "--email", "Ada@example.com", "--name", " Ada Lovelace ");
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const [, id = ""] =
      /^Created account (\S+) for Ada@example\.com\.\nNext: gpu-offers-admin key create --account Ada@example\.com\n$/.exec(
        made.stdout,
      ) ?? [];
    const account = {
      id,
      email: "Ada@example.com",
      display_name: "Ada Lovelace",
      created_at: aTime,
      disabled_at: null,
    };
    const shown = await json("account", "show", "ada@EXAMPLE.com");
    expect(shown).toEqual({ ...account, balance: "0.0000", keys: [] });
    expect(accountSchema.parse(shown)).toMatchObject({ id });
    expect(await json("account", "list")).toEqual([{ ...account, balance: "0.0000" }]);
    expect((await run("account", "show", id)).stdout).toMatch(
      /^id {8}\S+\nemail {5}Ada@example\.com\nname {6}Ada Lovelace\n/,
    );
    expect((await run("account", "list")).stdout).toMatch(/^ID +EMAIL +NAME +CREATED +DISABLED +BALANCE\n\S+ +Ada@/);

    const disabled = await run("account", "disable", "ada@example.com");
    expect(disabled).toMatchObject({
      code: 0,
      stdout: `Disabled account ${id}. Its keys stop working within 5 seconds.\n`,
    });
    const first = await json("account", "show", id);
    expect(first).toMatchObject({ disabled_at: aTime });
    expect(await json("account", "disable", id)).toMatchObject({
      disabled_at: (first as { disabled_at: string }).disabled_at,
    });
    expect(await run("account", "enable", "ada@example.com")).toMatchObject({
      code: 0,
      stdout: `Enabled account ${id}. Its keys work again within 5 seconds.\n`,
    });
    expect(await json("account", "enable", id)).toEqual(account);
  });

  test("creates a key that is shown once, lists it and revokes it", async () => {
    const { id: account, email } = await makeAccount(database);
    const made = await run("key", "create", "--account", email, "--label", "日本 😀", "--expires", "2099-01-31");
    const [, key = "", id = ""] =
      /^(gpo_\S+)\n\nThis is key (\S+)\. Store it now: it cannot be shown again\.\n$/.exec(made.stdout) ?? [];
    expect(isApiKey(key)).toBe(true);
    const listed = {
      id,
      account_id: account,
      label: "日本 😀",
      created_at: aTime,
      expires_at: "2099-01-31T23:59:59.999Z",
      revoked_at: null,
      last_used_at: null,
    };
    expect(await json("key", "list", "--account", email)).toContainEqual(listed);
    const all = await json("key", "list");
    expect(all).toContainEqual(listed);
    const table = await run("key", "list", "--account", email);
    expect(table.stdout).toMatch(/^ID +ACCOUNT +LABEL +CREATED +EXPIRES +REVOKED +LAST USED\n/);
    // The label takes 7 columns of the terminal.
    const [head = "", row = ""] = table.stdout.split("\n").filter((line) => /^ID|日本/.test(line));
    expect(row.replace("日本 😀", "1234567").search(/ \d{4}-/)).toBe(head.indexOf("CREATED") - 1);
    expect(JSON.stringify([table, await json("account", "show", email), all])).not.toMatch(/gpo_/);

    const revoked = await run("key", "revoke", id);
    expect(revoked.stdout).toMatch(/^Revoked key \S+ at \S+Z\. It stops working within 5 seconds\.\n$/);
    const again = await json("key", "revoke", id);
    expect(again).toEqual({ ...listed, revoked_at: aTime });
    expect(await json("key", "revoke", id)).toEqual(again);
  });

  test("adds and deducts credit once per reference, and shows the history", async () => {
    const { id, email } = await makeAccount(database);
    expect(await credit("add", id, "25.00", "invoice-1", "--note", "first payment")).toMatchObject({
      code: 0,
      stdout: "Added 25.0000 USD (invoice-1). The balance is 25.0000 USD.\n",
    });
    const again = await credit("add", email, "25", "invoice-1");
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(
      /^invoice-1 was already recorded on \S+Z; nothing was changed\. The balance is 25\.0000 USD\.\n$/,
    );
    expect(await credit("add", id, "26", "invoice-1")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /^gpu-offers-admin: the reference invoice-1 was used on \S+Z for 25\.0000 USD\. Nothing was changed\.\n$/,
      ) as string,
    });
    expect((await credit("debit", id, "25", "invoice-1")).code).toBe(1);
    expect(await credit("debit", id, "25.0001", "job-1")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "gpu-offers-admin: the balance is 25.0000 USD, which is less than 25.0001 USD. Nothing was changed.\n",
    });
    const debit = await credit("debit", id, "0.0001", "job-1", "--json");
    expect(JSON.parse(debit.stdout)).toEqual({
      outcome: "added",
      reference: "job-1",
      amount: "-0.0001",
      balance: "24.9999",
      created_at: aTime,
    });
    expect(await credit("add", id, "922337203685477.5807", "too-much")).toMatchObject({
      code: 1,
      stderr:
        "gpu-offers-admin: the balance would exceed the maximum of 922337203685477.5807 USD (now 24.9999 USD). Nothing was changed.\n",
    });
    expect(await json("credit", "history", "--account", email)).toEqual({
      balance: "24.9999",
      has_earlier: false,
      entries: [
        { reference: "invoice-1", note: "first payment", created_at: aTime, amount: "25.0000", balance: "25.0000" },
        { reference: "job-1", note: "", created_at: aTime, amount: "-0.0001", balance: "24.9999" },
      ],
    });
    expect((await run("credit", "history", "--account", id)).stdout).toMatch(
      /^CREATED +AMOUNT +BALANCE +REFERENCE +NOTE\n\S+Z +25\.0000 +25\.0000 +invoice-1 +first payment\n\S+Z +-0\.0001 +24\.9999 +job-1\n\nBalance 24\.9999 USD\n$/,
    );
  });
});
