import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { adminDone } from "@gpu-offers/testkit/admin";
import { CreditStore } from "@gpu-offers/store/credit.store";
import { databases } from "@gpu-offers/testkit/databases";
import { disable, makeAccount } from "@gpu-offers/store/test/accounts";
import { open } from "@gpu-offers/store/test/databases";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { commandsOn } from "./account-commands.ts";

describe.each(databases)("the command line on $kind", ({ create }) => {
  let database: string;

  beforeAll(async () => {
    database = await create();
  });

  const { run, json, credit } = commandsOn(() => database);

  test("shows a long history page by page, newest first", async () => {
    const { id } = await makeAccount(database);
    const store = await open(database);
    for (let entry = 1; entry <= 12; entry++) {
      await new CreditStore(store).add(id, { reference: `e${entry}`, amountE4: 10_000n, note: "" });
    }
    const page = async (...options: string[]) => {
      const { entries, has_earlier, balance } = (await json("credit", "history", "--account", id, ...options)) as {
        entries: { reference: string }[];
        has_earlier: boolean;
        balance: string;
      };
      return [entries.map(({ reference }) => reference).join(), has_earlier, balance];
    };
    expect(await page("--limit", "5")).toEqual(["e8,e9,e10,e11,e12", true, "12.0000"]);
    expect(await page("--limit", "5", "--before", "e8")).toEqual(["e3,e4,e5,e6,e7", true, "12.0000"]);
    expect(await page("--limit", "2", "--before", "e3")).toEqual(["e1,e2", false, "12.0000"]);
    expect(await page("--before", "e3")).toEqual(["e1,e2", false, "12.0000"]);
    expect(await page("--before", "e1")).toEqual(["", false, "12.0000"]);
    expect(await page("--limit", "12")).toMatchObject([expect.stringMatching(/^e1,/), false, "12.0000"]);
    expect((await run("credit", "history", "--account", id, "--limit", "1")).stdout).toMatch(
      /\ne?\S+Z +1\.0000 +12\.0000 +e12\n\nEarlier entries: gpu-offers-admin credit history --account \S+ --limit 1 --before e12\nBalance 12\.0000 USD\n$/,
    );
    expect(await run("credit", "history", "--account", id, "--before", "none")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^gpu-offers-admin: account \S+ has no entry none\. /) as string,
    });
    expect(await run("credit", "history", "--account", id, "--limit", "0")).toMatchObject({ code: 2, stdout: "" });
  });

  test("adds a reference once, even if several operators do so concurrently", async () => {
    const { id, email } = await makeAccount(database);
    const ended = await Promise.all(
      Array.from({ length: 6 }, (_, number) =>
        credit("add", number % 2 === 0 ? id : email, "10", "invoice-7", "--json"),
      ),
    );
    expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(ended.map(() => ({ code: 0, stderr: "" })));
    const outcomes = ended.map(({ stdout }) => (JSON.parse(stdout) as { outcome: string }).outcome);
    expect(outcomes.toSorted()).toEqual(["added", ...Array.from({ length: 5 }, () => "repeated")]);
    // Of debits that exceed the credit together, as many succeed as the credit covers.
    const debits = await Promise.all(
      Array.from({ length: 5 }, (_, number) => credit("debit", id, "4", `job-${number}`)),
    );
    expect(
      debits
        .map(({ code }) => `${code}`)
        .toSorted()
        .join(""),
    ).toBe("00111");
    expect(await json("account", "show", id)).toMatchObject({ balance: "2.0000" });
  });

  test("creates one account per address, even if several operators do so concurrently", async () => {
    const makeOnce = () => run("account", "create", "--email", "once@example.com", "--name", "Once");
    const ended = await Promise.all([makeOnce(), makeOnce(), makeOnce(), makeOnce()]);
    expect(
      ended
        .map(({ code }) => `${code}`)
        .toSorted()
        .join(""),
    ).toBe("0111");
    for (const { code, stderr, stdout } of ended.filter((one) => one.code === 1)) {
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr:
          "gpu-offers-admin: an account with the address once@example.com already exists: gpu-offers-admin account show once@example.com\n",
      });
    }
  });

  test("exits with 1 and one line if an account or key does not exist", async () => {
    const unknown = "gpu-offers-admin: no account eve@example.com. List accounts: gpu-offers-admin account list\n";
    const account = ["--account", "eve@example.com"];
    for (const args of [
      ["account", "show", "eve@example.com"],
      ["account", "disable", "eve@example.com"],
      ["account", "enable", "eve@example.com"],
      ["key", "create", ...account],
      ["key", "list", ...account],
      ["credit", "add", ...account, "--amount", "1", "--reference", "a"],
      ["credit", "debit", ...account, "--amount", "1", "--reference", "a"],
      ["credit", "history", ...account],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect({ args, code, stdout, stderr }).toEqual({ args, code: 1, stdout: "", stderr: unknown });
    }
    const id = randomUUID();
    expect((await run("key", "revoke", id)).stderr).toBe(
      `gpu-offers-admin: no key with the id ${id}. List keys: gpu-offers-admin key list\n`,
    );
    const leaver = await makeAccount(database);
    await disable(database, leaver.id);
    expect(await run("key", "create", "--account", leaver.id)).toMatchObject({
      code: 1,
      stderr: `gpu-offers-admin: account ${leaver.email} is disabled, so its keys would not work. Enable it: gpu-offers-admin account enable ${leaver.email}\n`,
    });
  });
});

test("a key can expire at the end of today or at a time, but not in the past", async () => {
  const database = tempDatabase();
  const { id } = await makeAccount(database);
  // One minute from now, in case the day ends before the key is created.
  const today = new Date(Date.now() + 60_000).toISOString().slice(0, 10);
  const stored = new Map<string, string>();
  for (const [expires, time] of [
    [today, `${today}T23:59:59.999Z`],
    ["2099-06-30T12:30Z", "2099-06-30T12:30:00.000Z"],
    ["2096-02-29T00:00:00.5Z", "2096-02-29T00:00:00.500Z"],
  ] as const) {
    const { stdout } = await adminDone(database, "key", "create", "--account", id, "--expires", expires, "--json");
    stored.set((JSON.parse(stdout) as { id: string }).id, time);
  }
  const { stdout } = await adminDone(database, "key", "list", "--json");
  for (const [keyId, time] of stored) {
    const made = (JSON.parse(stdout) as { id: string; expires_at: string }[]).find((key) => key.id === keyId);
    expect(made?.expires_at).toBe(time);
  }
});
